import { readFile } from "node:fs/promises";
import { Version } from "@quartermaster/cli";
import { MasterKeyFile, Timestamp } from "@quartermaster/core";
import { Backup } from "@quartermaster/storage-sqlite";
import { Console, Effect, Option, Path, Redacted } from "effect";
import { Base64 } from "effect/encoding";
import * as DatabaseFailure from "../config/DatabaseFailure.ts";
import * as DatabaseSettings from "../config/DatabaseSettings.ts";
import { keys as keyReader, secretSetting, setting, text } from "../config/Setting.ts";
import { StartError } from "../config/StartError.ts";
import { counted } from "../Counted.ts";
import * as PrivateFile from "../data/PrivateFile.ts";
import * as Advice from "./Advice.ts";
import * as CopiedDatabase from "./CopiedDatabase.ts";
import * as SigningKeys from "./SigningKeys.ts";

/** Returns the function that reads the master keys as text for a backup that includes them. */
const masterKeys = Effect.fnUntraced(function* (dataDir: string) {
  const path = yield* Path.Path;
  const fromEnvironment = yield* secretSetting("QM_SECRET_KEY", keyReader, null);
  if (fromEnvironment !== null) {
    const texts = fromEnvironment.map((key) => Base64.encode(Redacted.value(key)));
    return () => Promise.resolve(texts.join(","));
  }
  const file = path.join(dataDir, "secret-key");
  if (Option.isNone(yield* PrivateFile.read(file))) {
    return yield* new StartError({
      message:
        `There is no master key in ${file}, and QM_SECRET_KEY is not set: ` +
        "set it to the key of the server, or leave --keys out.",
    });
  }
  // Reads the file at each call: a rotation may change it during the backup.
  return () => readFile(file, "utf8");
});

/** The server's newest master key; null if the server has no readable key. */
const signingKey = Effect.fnUntraced(function* (dataDir: string) {
  const path = yield* Path.Path;
  const fromEnvironment = yield* secretSetting("QM_SECRET_KEY", keyReader, null);
  if (fromEnvironment !== null) return (yield* SigningKeys.of(fromEnvironment))[0];
  const text = yield* Effect.option(PrivateFile.read(path.join(dataDir, "secret-key")));
  const given = Option.flatMap(Option.flatten(text), (keys) => MasterKeyFile.parse(keys.trim()));
  return Option.isNone(given) ? null : (yield* SigningKeys.of(given.value))[0];
});

const notes = (
  file: string,
  keySource: string,
  { hasKeys, keyIds }: Backup.Contents,
): ReadonlyArray<string> => {
  if (hasKeys) {
    return [
      `Warning: ${file} has the master key. Anyone who can read it can decrypt every secret in it: store it like a key.`,
    ];
  }
  if (keyIds.length === 0) return [];
  return [
    `${file} does not have the master key (${keyIds.join(", ")}) that its secrets are encrypted under. ` +
      `Store the key separately: it is in ${keySource}.`,
  ];
};

/** `quartermaster backup`. */
export const run = Effect.fnUntraced(function* ({
  file,
  json,
  keys,
  withoutLogs,
}: {
  readonly file: string;
  readonly json: boolean;
  readonly keys: boolean;
  readonly withoutLogs: boolean;
}) {
  const database = yield* DatabaseSettings.read;
  if (database !== null) yield* DatabaseSettings.requireSecretKey;
  const dataDir = yield* setting("QM_DATA_DIR", text, ".quartermaster");
  const options = {
    file,
    version: yield* Version.Version,
    createdAt: yield* Timestamp.now,
    withoutLogs,
    masterKeys: keys ? yield* masterKeys(dataDir) : null,
    signWith: yield* signingKey(dataDir),
  };
  const write = (dataDir: string) =>
    Effect.mapError(Backup.run({ ...options, dataDir }), Advice.withVariable);
  const contents = yield* database === null
    ? write(dataDir)
    : DatabaseFailure.advised(database, CopiedDatabase.use(database, `${file}.copy`, write));
  const keySource = database === null ? `QM_SECRET_KEY or ${dataDir}/secret-key` : "QM_SECRET_KEY";
  yield* Effect.forEach(notes(file, keySource, contents), (note) => Console.error(note));
  if (json) return yield* Console.log(JSON.stringify({ file, ...contents }));
  const { attachments, bytes, issues, newestChange } = contents;
  yield* Console.log(
    `Backed up ${counted(issues, "issue")} and ${counted(attachments, "attachment")} ` +
      `(${bytes} bytes) to ${file}` +
      (newestChange === null ? "." : `, with changes up to ${newestChange}.`),
  );
});
