import { Effect, type Scope } from "effect";
import type { Errors } from "@quartermaster/core";
import { SqlClient } from "effect/sql";
import { mkdir, mkdtemp, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fromFileError, fromSqlError } from "../client/StorageErrors.ts";

/**
 * A folder of this process's own, in which a mark stands for every upload whose fate is open, and
 * the clearing of folders whose process is dead.
 *
 * The owner holds a lock on a file of the folder for as long as it lives; the lock is SQLite's, so
 * it needs neither process ids nor a clock, and works wherever the database itself does. Folders
 * are made and cleared in a transaction, so that none is seen between its making and its locking.
 */

const lockName = "owner.lock";

const attempt = <A>(f: () => Promise<A>): Effect.Effect<A, Errors.StorageError> =>
  Effect.tryPromise({ try: f, catch: fromFileError });

/** Nothing if another process, or another client of this one, holds the lock, or removed the folder. */
const lock = (folder: string) =>
  Effect.sync(() => {
    let db: DatabaseSync | undefined;
    try {
      db = new DatabaseSync(join(folder, lockName));
      db.exec("BEGIN EXCLUSIVE");
      return db;
    } catch {
      db?.close();
      return undefined;
    }
  });

/** What is in the folder; nothing if its owner removed it meanwhile. */
const namesIn = (folder: string) =>
  attempt(() =>
    readdir(folder).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === "ENOENT") return [];
      throw cause;
    }),
  );

const clear = Effect.fnUntraced(function* (
  folder: string,
  settle: (mark: string) => Effect.Effect<void, Errors.StorageError>,
) {
  const held = yield* lock(folder);
  if (held === undefined) return;
  yield* Effect.gen(function* () {
    const names = yield* namesIn(folder);
    for (const name of names) if (!name.startsWith(lockName)) yield* settle(join(folder, name));
  }).pipe(Effect.ensuring(Effect.sync(() => held.close())));
  yield* attempt(() => rm(folder, { recursive: true, force: true }));
});

/**
 * Makes the folder below `parent`, after `settle` was called with the path of every mark that a
 * dead process left there. It is removed with the scope, unless marks are still in it.
 */
export const make = Effect.fnUntraced(function* (
  parent: string,
  settle: (mark: string) => Effect.Effect<void, Errors.StorageError>,
): Effect.fn.Return<string, Errors.StorageError, SqlClient.SqlClient | Scope.Scope> {
  const sql = yield* SqlClient.SqlClient;
  yield* attempt(() => mkdir(parent, { recursive: true, mode: 0o700 }));
  const [folder] = yield* Effect.acquireRelease(
    sql
      .withTransaction(
        Effect.gen(function* () {
          for (const name of yield* attempt(() => readdir(parent))) {
            yield* clear(join(parent, name), settle);
          }
          const own = yield* attempt(() => mkdtemp(join(parent, "owner-")));
          return [own, yield* lock(own)] as const;
        }),
      )
      .pipe(Effect.catchTag("SqlError", (error) => Effect.fail(fromSqlError(error)))),
    ([own, held]) =>
      Effect.promise(async () => {
        held?.close();
        await rm(join(own, lockName), { force: true });
        await rmdir(own).catch(() => undefined);
      }),
  );
  return folder;
});
