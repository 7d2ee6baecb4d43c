import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * A lock that a backup holds while it copies attachments. Until it is released, no process of the data
 * directory removes bytes of attachments. An attachment's row is deleted before its bytes: bytes
 * that are removed after the lock was acquired belong to a row that the snapshot may have, and
 * bytes that were removed before belong to a row that it has not.
 *
 * It is a lock of SQLite, as of `ReceivingFolder`: the death of its owner releases it. The file stays,
 * since removing it could remove the lock of the next owner.
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

/** Returns how to release it; undefined if another backup holds it. */
export const acquire = (file: string): (() => void) | undefined => {
  closeSync(openSync(file, "a", 0o600));
  // Processes that look whether it is held have it for some microseconds.
  const db = attempt(file, "BEGIN EXCLUSIVE", 2_000);
  return db && (() => db.close());
};

export const isHeld = (file: string): boolean => {
  if (!existsSync(file)) return false;
  // Reading needs a lock that any number of processes may share.
  const db = attempt(file, "SELECT 1 FROM sqlite_schema", 0);
  db?.close();
  return db === undefined;
};
