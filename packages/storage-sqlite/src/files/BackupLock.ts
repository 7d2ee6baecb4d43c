import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * The lock that a backup holds while it copies attachments. While it is held, no process of the
 * data directory removes attachment bytes. An attachment's row is deleted before its bytes. So
 * bytes removed after the lock was acquired may belong to a row in the snapshot, and bytes removed
 * earlier cannot.
 *
 * It is an SQLite lock, as in `ReceivingFolder`: the system releases it when its owner dies. The
 * file stays, because removing it could remove the lock of the next owner.
 */

export const fileIn = (dataDir: string): string => join(dataDir, "backup.lock");

const attempt = (file: string, sql: string, timeout: number): DatabaseSync | undefined => {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { timeout });
    db.exec(sql);
    return db;
  } catch {
    db?.close();
    return undefined;
  }
};

/** Acquires the lock. Returns a function that releases it; undefined if another backup holds it. */
export const acquire = (file: string): (() => void) | undefined => {
  closeSync(openSync(file, "a", 0o600));
  // Wait: processes that check the lock hold it for some microseconds.
  const db = attempt(file, "BEGIN EXCLUSIVE", 2_000);
  return db && (() => db.close());
};

export const isHeld = (file: string): boolean => {
  if (!existsSync(file)) return false;
  // Reading takes a shared lock, which any number of processes may hold.
  const db = attempt(file, "SELECT 1 FROM sqlite_schema", 0);
  db?.close();
  return db === undefined;
};
