// Backs a data directory up, or restores one: `archiver backup|restore DATA_DIR FILE`.
import { Effect } from "effect";
import { Backup, Restore } from "../../src/index.ts";

const [command = "", dataDir = "", file = ""] = process.argv.slice(2);

const createdAt = "2026-03-01T12:00:00.000Z";
await Effect.runPromise(
  command === "backup"
    ? Backup.run({ dataDir, file, version: "1.2.3", createdAt, masterKeys: null, signWith: null })
    : Restore.run({ dataDir, file, keys: [] }),
);
