import { createHash } from "node:crypto";
import { open as openFile, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import * as ReadOnly from "../files/ReadOnly.ts";
import { manifest } from "../migrations/manifest.ts";
import * as Schema from "../migrations/Schema.ts";
import { chunksOf, type Entry, type Head } from "./Archive.ts";
import { BackupError } from "./BackupError.ts";

/**
 * A copy of the database at one commit. VACUUM INTO reads in one transaction, so writers continue
 * and never restart it, as they would restart SQLite's backup API. It copies no deleted pages, and
 * it is one statement, so it works on every runtime.
 */

/** The part of the head that comes from the snapshot. */
export type Facts = Pick<
  Head,
  "attachments" | "issues" | "keyIds" | "migrations" | "newestChange" | "newestEvent"
> & { readonly attachmentBytes: number };

/** The reason why this version cannot use a database with these migrations; undefined if it can. */
export const foreignMigrations = (found: ReadonlyArray<string>): string | undefined => {
  const unknown = found.filter((name) => !Object.hasOwn(manifest, name));
  return unknown.length === 0 ? undefined : unknown.join(", ");
};

/**
 * Whether all migrations of this version have run. The schema of an older database is compared at
 * the next start, after its migration.
 */
const isCurrent = (found: ReadonlyArray<string>) => found.join() === Object.keys(manifest).join();

const factsOf = (db: DatabaseSync, migrations: ReadonlyArray<string>): Facts => {
  const count = (sql: string) => Number(ReadOnly.first(db, sql) ?? 0);
  return {
    migrations,
    newestEvent: ReadOnly.newestEvent(db),
    newestChange: ReadOnly.newestChange(db),
    issues: count("SELECT COUNT(*) FROM issues"),
    attachments: count("SELECT COUNT(*) FROM attachments"),
    attachmentBytes: count("SELECT SUM(size) FROM attachments"),
    keyIds: ReadOnly.texts(db, "SELECT DISTINCT key_id FROM mcp_secrets ORDER BY key_id"),
  };
};

const copy = (database: string, file: string) => {
  const db = ReadOnly.open(database);
  try {
    const migrations = ReadOnly.migrations(db);
    if (migrations === undefined) {
      throw new BackupError({
        message: `${database} has no data of Quartermaster: name the server's data directory.`,
        needsOtherDirectory: true,
      });
    }
    const foreign = foreignMigrations(migrations);
    if (foreign !== undefined) {
      throw new BackupError({
        message: `${database} was written by a newer version (it has ${foreign}). Back it up with that version.`,
      });
    }
    db.prepare("VACUUM INTO ?").run(file);
  } finally {
    db.close();
  }
};

/**
 * Removes the logs of runs from a snapshot, including its deleted pages. Their writers may
 * continue.
 */
const removeLogs = (file: string) => {
  const db = new DatabaseSync(file);
  try {
    const table = "SELECT 1 FROM sqlite_schema WHERE name = 'run_log_chunks'";
    if (ReadOnly.first(db, table) === undefined) return;
    db.exec(`PRAGMA journal_mode=OFF;
      UPDATE run_logs SET bytes = 0, dropped = dropped + (
        SELECT coalesce(sum(last - first + 1), 0) FROM run_log_chunks
        WHERE run_log_chunks.run_id = run_logs.run_id
      );
      DELETE FROM run_log_chunks;
      VACUUM`);
  } finally {
    db.close();
  }
};

/** Writes the snapshot of a database to a new file of mode 0600. */
export const take = async (
  database: string,
  file: string,
  { withoutLogs = false }: { readonly withoutLogs?: boolean | undefined } = {},
): Promise<void> => {
  await rm(file, { force: true });
  await (await openFile(file, "wx", 0o600)).close();
  try {
    copy(database, file);
    if (withoutLogs) removeLogs(file);
  } catch (cause) {
    if (cause instanceof BackupError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BackupError({
      message:
        `${database} cannot be copied to ${file} (${reason}). Make room, or check the database ` +
        "with `quartermaster doctor`.",
    });
  }
};

/** Opens a snapshot that no process uses. */
export const open = (file: string) => {
  const db = new DatabaseSync(file, { readOnly: true });
  return {
    facts: factsOf(db, ReadOnly.migrations(db) ?? []),
    /** A generator, because there may be millions of attachments. */
    attachments: function* (): Generator<Entry> {
      for (const row of db
        .prepare("SELECT id, size, sha256 FROM attachments ORDER BY seq")
        .iterate()) {
        yield {
          path: `attachments/${String(row["id"])}`,
          size: Number(row["size"]),
          sha256: String(row["sha256"]),
        };
      }
    },
    /** The damage that SQLite finds, and differences from the schema of this version. */
    problems: () => [
      ...ReadOnly.texts(db, "PRAGMA quick_check(3)").filter((problem) => problem !== "ok"),
      ...(isCurrent(ReadOnly.migrations(db) ?? []) ? Schema.differences(ReadOnly.schema(db)) : []),
    ],
    close: () => db.close(),
  };
};

/** Reads a file to create its entry. */
export const entryOf = async (path: string, file: string): Promise<Entry> => {
  const handle = await openFile(file);
  try {
    const hash = createHash("sha256");
    let size = 0;
    for await (const chunk of chunksOf(handle)) {
      hash.update(chunk);
      size += chunk.length;
    }
    return { path, size, sha256: hash.digest("hex") };
  } finally {
    await handle.close();
  }
};
