import { Context, Effect, Layer, Option } from "effect";
import { SqlClient } from "effect/sql";

/**
 * Removes deleted values from the database files, not only from the tables.
 *
 * SQLite runs with `secure_delete`, so it overwrites deleted and replaced data with zeros. The
 * write-ahead log still contains the earlier pages until a checkpoint copies the zeros to the
 * database file and truncates the log.
 */
export class Wiping extends Context.Service<
  Wiping,
  {
    /**
     * Truncates the write-ahead log after the surrounding transaction commits and before it
     * returns.
     */
    readonly afterCommit: Effect.Effect<void>;
  }
>()("@quartermaster/storage-sqlite/client/Wiping") {
  /** `truncateLog` returns false if other processes prevented it. */
  static readonly layer = (
    truncateLog: Effect.Effect<boolean>,
  ): Layer.Layer<Wiping, never, SqlClient.SqlClient> =>
    Layer.effect(
      Wiping,
      Effect.map(SqlClient.SqlClient, (sql) => {
        /**
         * Frames of transactions that are already registered: one checkpoint serves all their
         * deletions.
         */
        const wiping = new WeakSet<object>();
        const wipe = Effect.flatMap(truncateLog, (done) => (done ? Effect.void : unfinished));
        return Wiping.of({
          afterCommit: Effect.flatMap(Effect.serviceOption(sql.transactionService), (found) => {
            const frame = Option.getOrUndefined(found);
            if (frame === undefined) return wipe;
            if (wiping.has(frame)) return Effect.void;
            wiping.add(frame);
            return sql.afterCommit(wipe);
          }),
        });
      }),
    );
}

const unfinished = Effect.logWarning(
  "Deleted secrets are still in the write-ahead log: another process held the database for 5 seconds. The next checkpoint removes them.",
);
