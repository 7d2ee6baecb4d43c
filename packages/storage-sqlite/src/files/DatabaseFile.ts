import { chmod, mkdir, open, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Errors } from "@quartermaster/core";
import { Effect } from "effect";
import { fromFileError } from "../client/StorageErrors.ts";

/** Prepares the database file and its directory before SQLite opens them. */

const attempt = <A>(f: () => Promise<A>): Effect.Effect<A, Errors.StorageError> =>
  Effect.tryPromise({ try: f, catch: fromFileError });

const isThere = (path: string) =>
  Effect.promise(() =>
    stat(path).then(
      () => true,
      () => false,
    ),
  );

/**
 * Creates a directory and its parents with mode 0700. Node's own recursive `mkdir` never returns
 * below a directory that refuses new entries, such as /proc.
 */
export const makeDirectory = (path: string): Effect.Effect<void, Errors.StorageError> =>
  Effect.gen(function* () {
    if (yield* isThere(path)) return;
    if (dirname(path) !== path) yield* makeDirectory(dirname(path));
    yield* attempt(() =>
      mkdir(path, { mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
        // Another process created it first.
        if (cause.code !== "EEXIST") throw cause;
      }),
    );
  });

/**
 * Creates the file with mode 0600, which SQLite copies to its other files. Files of an earlier
 * version lose the permissions of other users, unless another user owns them.
 */
export const prepare = (filename: string): Effect.Effect<void, Errors.StorageError> =>
  attempt(async () => {
    await (await open(filename, "a", 0o600)).close();
    for (const suffix of ["", "-wal", "-shm"]) {
      await chmod(`${filename}${suffix}`, 0o600).catch(() => undefined);
    }
  });

/** The space that SQLite needs to open a database. */
const trialBytes = 64 * 1024;

/** Fails with the file system's reason if nothing can be written into the directory. */
export const tryWrite = (folder: string): Effect.Effect<void, Errors.StorageError> => {
  const path = join(folder, "trial.tmp");
  return attempt(async () => {
    const file = await open(path, "w", 0o600);
    try {
      await file.writeFile(new Uint8Array(trialBytes));
    } finally {
      await file.close();
    }
  }).pipe(Effect.ensuring(Effect.promise(() => rm(path, { force: true }).catch(() => undefined))));
};
