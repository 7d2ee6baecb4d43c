import { type FileHandle, open, readFile } from "node:fs/promises";
import { Errors } from "@quartermaster/core";
import { Effect, Latch, type Scope } from "effect";
import { SqlClient } from "effect/sql";
import { pause } from "../client/Pause.ts";
import { fromFileError, mapped } from "../client/StorageErrors.ts";

/**
 * A record of the newest event's `seq`, in a file next to the database. A database that ends before
 * this event has lost changes: its write-ahead log was removed, or the file was emptied or
 * replaced. SQLite itself opens such a file without an error.
 *
 * The record never names an event that a power loss can undo. With durability `full` it follows the
 * commits that are synced, at most every 20 ms. With `normal` only a checkpoint syncs, so the record
 * is written after a checkpoint, at the start and at the end.
 */

/** The commits of this process. */
export interface Commits {
  /** Opened by every commit that is synced. */
  readonly synced: Latch.Latch;
  /** Whether a commit after the last synced one is not synced. */
  isAhead: boolean;
  readonly committed: (isSynced: boolean) => void;
}

export const makeCommits = (): Commits => {
  const commits: Commits = {
    synced: Latch.makeUnsafe(),
    isAhead: false,
    committed: (isSynced) => {
      commits.isAhead = !isSynced;
      if (isSynced) commits.synced.openUnsafe();
    },
  };
  return commits;
};

export interface Options {
  readonly filename: string;
  readonly durability: "full" | "normal";
  readonly commits: Commits;
}

/** The record has a fixed length, so each write replaces it completely. */
const digits = 16;

/** The text of a record. */
export const noteOf = (seq: number): string => `${String(seq).padStart(digits, "0")}\n`;

/** Parses a record; undefined if the text is invalid. */
export const parse = (text: string): number | undefined =>
  /^\d{16}\n$/.test(text) ? Number(text) : undefined;

/** The recorded `seq`; undefined if the record is missing or unreadable. */
const read = (filename: string): Effect.Effect<number | undefined, Errors.StorageError> =>
  Effect.tryPromise({
    try: async () => {
      const text = await readFile(filename, "utf8").catch((cause: NodeJS.ErrnoException) => {
        if (cause.code === "ENOENT") return "";
        throw cause;
      });
      return parse(text);
    },
    catch: fromFileError,
  });

/** The highest `seq` ever assigned to an event. */
const newest = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const [row] = yield* sql<{ readonly seq: number }>`
    SELECT seq FROM sqlite_sequence WHERE name = 'events'`;
  return row?.seq ?? 0;
});

/** The highest `seq` ever assigned to an event; undefined if the database has no tables yet. */
const newestIfAny = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const tables = yield* sql`SELECT 1 FROM sqlite_schema WHERE name = 'events'`;
  return tables.length === 0 ? undefined : yield* newest;
});

/** Fails if the database ends before the recorded event. Runs before migrations create tables. */
export const check = Effect.fnUntraced(function* (
  filename: string,
): Effect.fn.Return<void, Errors.StorageError, SqlClient.SqlClient> {
  const noted = yield* read(filename);
  if (noted === undefined) return;
  const found = yield* mapped(newestIfAny);
  if (found !== undefined && found >= noted) return;
  return yield* new Errors.StorageError({
    reason:
      `The database has lost changes: it ${found === undefined ? "is empty" : `ends at event ${found}`}, ` +
      `but event ${noted} was stored. The database file was replaced, or its write-ahead log was removed. ` +
      `Restore a backup of the whole directory, or remove ${filename} to continue with the remaining data.`,
    isRetryable: false,
  });
});

/** Whether all commits are synced to disk. */
const isSynced = Effect.fnUntraced(function* ({ durability }: Options) {
  if (durability === "full") return true;
  const sql = yield* SqlClient.SqlClient;
  const [row] = yield* sql<{ readonly log: number; readonly checkpointed: number }>`
    PRAGMA wal_checkpoint(PASSIVE)`;
  return row !== undefined && row.log === row.checkpointed;
});

/**
 * Writes the record. Ignores failures, for example on a full disk: an outdated record loses
 * nothing.
 */
const write = (
  file: FileHandle,
  options: Options,
): Effect.Effect<void, never, SqlClient.SqlClient> =>
  Effect.ignore(
    Effect.gen(function* () {
      if (!(yield* isSynced(options))) return;
      const seq = yield* newest;
      if (options.durability === "full" && options.commits.isAhead) return;
      yield* Effect.tryPromise(() => file.write(noteOf(seq), 0));
    }),
  );

/** Updates the record until the scope closes. */
export const follow = Effect.fnUntraced(function* (
  options: Options,
): Effect.fn.Return<void, Errors.StorageError, SqlClient.SqlClient | Scope.Scope> {
  const file = yield* Effect.acquireRelease(
    Effect.tryPromise({
      // Not "w", which would truncate the record that another process writes.
      try: async () => {
        await (await open(options.filename, "a", 0o600)).close();
        return open(options.filename, "r+");
      },
      catch: fromFileError,
    }),
    (file) => Effect.promise(() => file.close()),
  );
  yield* write(file, options);
  yield* Effect.addFinalizer(() => write(file, options));
  if (options.durability === "normal") return;
  const { synced } = options.commits;
  yield* synced.await.pipe(
    Effect.andThen(synced.close),
    Effect.andThen(write(file, options)),
    Effect.andThen(pause(20)),
    Effect.forever,
    Effect.forkScoped,
  );
});
