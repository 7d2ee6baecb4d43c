import { MasterKeys } from "@quartermaster/core";
import { type Backup, Restore } from "@quartermaster/storage-sqlite";
import { Console, Effect } from "effect";
import { keys, secretSetting, setting, text } from "../config/Setting.ts";
import { counted } from "../Counted.ts";
import * as Crypto from "../Crypto.ts";
import * as Advice from "./Advice.ts";

/** The master keys that secrets of the backup need and that are neither in it nor in QM_SECRET_KEY. */
const missingKeys = Effect.fnUntraced(function* ({ hasKeys, keyIds }: Backup.Contents) {
  if (hasKeys || keyIds.length === 0) return [];
  const given = yield* secretSetting("QM_SECRET_KEY", keys, null);
  if (given === null) return keyIds;
  const { all } = yield* Effect.provide(MasterKeys.MasterKeys, MasterKeys.MasterKeys.layer(given));
  return keyIds.filter((id) => all.every((key) => key.id !== id));
}, Effect.provide(Crypto.layer));

/** `quartermaster restore`. */
export const run = Effect.fnUntraced(function* ({
  file,
  json,
}: {
  readonly file: string;
  readonly json: boolean;
}) {
  const dataDir = yield* setting("QM_DATA_DIR", text, ".quartermaster");
  const contents = yield* Restore.run({ dataDir, file }).pipe(Effect.mapError(Advice.withVariable));
  const missing = yield* missingKeys(contents);
  if (missing.length > 0) {
    yield* Console.error(
      `The master key ${missing.join(", ")} is missing: ${file} does not have it. Before you start the ` +
        `server, put it into ${dataDir}/secret-key or QM_SECRET_KEY. Without it, the secrets of MCP ` +
        "servers cannot be decrypted, and everything else works.",
    );
  }
  if (json) {
    const document = { dataDir, file, ...contents, missingKeyIds: missing };
    return yield* Console.log(JSON.stringify(document));
  }
  const { attachments, createdAt, issues } = contents;
  yield* Console.log(
    `Restored ${counted(issues, "issue")} and ${counted(attachments, "attachment")}, ` +
      `as of ${createdAt}, to ${dataDir}. ` +
      "Start the server with `quartermaster serve`.",
  );
});
