import { type Backup, Restore, Storage } from "@quartermaster/storage-sqlite";
import { Console, Effect, Layer, Path } from "effect";
import * as DatabaseFailure from "../config/DatabaseFailure.ts";
import * as DatabaseSettings from "../config/DatabaseSettings.ts";
import { keys, secretSetting, setting, text } from "../config/Setting.ts";
import { counted } from "../Counted.ts";
import * as Moving from "../data/Moving.ts";
import * as Advice from "./Advice.ts";
import * as CopiedDatabase from "./CopiedDatabase.ts";
import * as SigningKeys from "./SigningKeys.ts";

/** The master keys in QM_SECRET_KEY. */
const givenKeys = Effect.gen(function* () {
  const given = yield* secretSetting("QM_SECRET_KEY", keys, null);
  return given === null ? [] : yield* SigningKeys.of(given);
});

/**
 * The master keys that the backup's secrets need and that neither the backup nor QM_SECRET_KEY
 * contains.
 */
const missingKeys = (
  { hasKeys, keyIds }: Backup.Contents,
  given: ReadonlyArray<{ readonly id: string }>,
) => (hasKeys ? [] : keyIds.filter((id) => given.every((key) => key.id !== id)));

/** The warning about a backup that no given key signed. */
const unproven = (file: string, { signature }: Restore.Restored): ReadonlyArray<string> => {
  switch (signature) {
    case "valid":
      return [];
    case "unknownKey":
      return [
        `Warning: nothing shows who wrote ${file}. Set QM_SECRET_KEY to the server's master key to verify its signature, unless you trust the file.`,
      ];
    case "unsigned":
      return [
        `Warning: nothing shows who wrote ${file}: it has no signature. Start the server only if you trust the file.`,
      ];
  }
};

/**
 * Restores to a temporary data directory, and moves its service to the database. The same file
 * continues an interrupted move.
 */
const toDatabase = Effect.fnUntraced(function* (
  database: DatabaseSettings.Database,
  options: Restore.Options,
) {
  yield* DatabaseSettings.requireSecretKey;
  const path = yield* Path.Path;
  const dataDir = yield* CopiedDatabase.temporary(path.join(options.dataDir, "restore"));
  const contents = yield* Restore.run({ ...options, dataDir });
  // Migrates a database of an earlier version.
  yield* Effect.scoped(Layer.build(Storage.layer({ dataDir, durability: "normal" })));
  yield* Moving.run(database, dataDir, {
    id: `backup ${contents.createdAt} ${contents.newestEvent} ${contents.bytes}`,
    onTable: () => Effect.void,
  });
  return contents;
}, Effect.scoped);

/** `quartermaster restore`. */
export const run = Effect.fnUntraced(function* ({
  file,
  json,
}: {
  readonly file: string;
  readonly json: boolean;
}) {
  const database = yield* DatabaseSettings.read;
  const dataDir = yield* setting("QM_DATA_DIR", text, ".quartermaster");
  const given = yield* givenKeys;
  const options = { dataDir, file, keys: given };
  const contents = yield* database === null
    ? Effect.mapError(Restore.run(options), Advice.withVariable)
    : DatabaseFailure.advised(database, toDatabase(database, options));
  const target = database === null ? dataDir : DatabaseSettings.nameOf(database);
  const missing = missingKeys(contents, given);
  yield* Effect.forEach(unproven(file, contents), (note) => Console.error(note));
  if (missing.length > 0) {
    const place = database === null ? `${dataDir}/secret-key or QM_SECRET_KEY` : "QM_SECRET_KEY";
    yield* Console.error(
      `The master key ${missing.join(", ")} is missing: ${file} does not have it. Before you start the ` +
        `server, put it into ${place}. Without it, the secrets of MCP ` +
        "servers cannot be decrypted, and everything else works.",
    );
  }
  if (json) {
    const document = {
      ...(database === null ? { dataDir } : { database: target }),
      file,
      ...contents,
      missingKeyIds: missing,
    };
    return yield* Console.log(JSON.stringify(document));
  }
  const { attachments, createdAt, issues } = contents;
  yield* Console.log(
    `Restored ${counted(issues, "issue")} and ${counted(attachments, "attachment")}, ` +
      `as of ${createdAt}, to ${target}. ` +
      "Start the server with `quartermaster serve`.",
  );
});
