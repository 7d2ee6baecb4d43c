import { closeSync, openSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Errors } from "@quartermaster/core";
import { Effect, type Scope } from "effect";
import { SqlClient } from "effect/sql";
import { fromFileError, fromSqlError } from "../client/StorageErrors.ts";

/**
 * The folder of this process, with a mark for every upload that is not stored yet. Clears the
 * folders of dead processes.
 *
 * A live owner holds an SQLite lock on a file in its folder. The lock needs neither process ids nor
 * a clock, and works wherever the database does. Folders are created and cleared in a transaction,
 * so that no process sees a folder before it is locked.
 */

const lockName = "owner.lock";

const attempt = <A>(f: () => Promise<A>): Effect.Effect<A, Errors.StorageError> =>
  Effect.tryPromise({ try: f, catch: fromFileError });

/** Locks a folder; undefined if another client holds the lock or has removed the folder. */
const lock = (folder: string) =>
  Effect.sync(() => {
    let db: DatabaseSync | undefined;
    try {
      const path = join(folder, lockName);
      closeSync(openSync(path, "a", 0o600));
      db = new DatabaseSync(path);
      db.exec("BEGIN EXCLUSIVE");
      return db;
    } catch {
      db?.close();
      return undefined;
    }
  });

/** The names in the folder; none if its owner has removed it. */
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
 * Creates the folder below `parent`. First calls `settle` with the path of every mark that dead
 * processes left there. Closing the scope removes the folder, unless it still contains marks.
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
