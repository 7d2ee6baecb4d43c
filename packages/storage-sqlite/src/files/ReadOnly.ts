import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import * as Schema from "../migrations/Schema.ts";

/** Opens a read-only connection. SQLite may still create the write-ahead log and its index. */
export const open = (filename: string): DatabaseSync => {
  const db = new DatabaseSync(filename, { readOnly: true });
  db.exec("PRAGMA busy_timeout=5000");
  return db;
};

/**
 * Uses a connection that creates no files. If there is no write-ahead log, no process uses the
 * database, and `immutable` prevents SQLite from creating one. If a process opens the database in
 * the meantime, the reads may be wrong, so `use` runs again.
 */
export const undisturbed = <A>(filename: string, use: (db: DatabaseSync) => A): A => {
  const isInUse = () => existsSync(`${filename}-wal`);
  const isImmutable = !isInUse();
  const url = pathToFileURL(filename);
  url.searchParams.set("immutable", "1");
  const db = isImmutable ? new DatabaseSync(url, { readOnly: true }) : open(filename);
  try {
    const result = use(db);
    if (!isImmutable || !isInUse()) return result;
  } catch (cause) {
    if (!isImmutable || !isInUse()) throw cause;
  } finally {
    db.close();
  }
  return undisturbed(filename, use);
};

/** The rows of a query as plain values. */
export const rows = (
  db: DatabaseSync,
  sql: string,
  ...params: ReadonlyArray<string | number>
): ReadonlyArray<Readonly<Record<string, unknown>>> => db.prepare(sql).all(...params);

/** The schema in the form of `Schema.query`. */
export const schema = (db: DatabaseSync): ReadonlyArray<Schema.Row> =>
  rows(db, Schema.query).map(({ name, sql, tbl_name: table, type }) => [
    String(type),
    String(name),
    String(table),
    sql === null ? null : String(sql),
  ]);

/** The first column of the first row; undefined if there are no rows. */
export const first = (db: DatabaseSync, sql: string): unknown =>
  Object.values(db.prepare(sql).get() ?? {})[0];

export const texts = (db: DatabaseSync, sql: string): ReadonlyArray<string> =>
  rows(db, sql).map((row) => String(Object.values(row)[0]));

/**
 * The applied migrations, named as in the manifest; undefined if the database is not
 * Quartermaster's.
 */
export const migrations = (db: DatabaseSync): ReadonlyArray<string> | undefined =>
  first(db, "SELECT 1 FROM sqlite_schema WHERE name = 'migrations'") === undefined
    ? undefined
    : rows(db, "SELECT migration_id, name FROM migrations ORDER BY migration_id").map(
        (row) => `${String(row["migration_id"]).padStart(4, "0")}_${String(row["name"])}`,
      );

export const newestEvent = (db: DatabaseSync): number =>
  Number(first(db, "SELECT seq FROM sqlite_sequence WHERE name = 'events'") ?? 0);

/** The timestamp of the newest event; null if no event is retained. */
export const newestChange = (db: DatabaseSync): string | null => {
  const text = first(db, "SELECT created_at FROM events ORDER BY seq DESC LIMIT 1");
  return text === undefined ? null : String(text);
};
