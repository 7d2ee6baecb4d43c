import { Transactor } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient, SqlError } from "effect/sql";
import { Relaxed } from "./Relaxed.ts";
import * as StorageErrors from "./StorageErrors.ts";

const toStorageError = <E>(error: E | SqlError.SqlError) =>
  SqlError.isSqlError(error) ? StorageErrors.fromSqlError(error) : error;

/**
 * Transactions of the current `SqlClient`. `check` sets `user_version`, which is otherwise unused,
 * to its current value: SQLite then writes and syncs the first page, as for any other change.
 */
export const layer: Layer.Layer<Transactor.Transactor, never, SqlClient.SqlClient> = Layer.effect(
  Transactor.Transactor,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Transactor.Transactor.of({
      check: StorageErrors.mapped(Effect.asVoid(sql.withTransaction(sql`PRAGMA user_version = 0`))),
      transact: (change) => Effect.mapError(sql.withTransaction(change), toStorageError),
      transactRelaxed: (change) =>
        sql
          .withTransaction(change)
          .pipe(Effect.provideService(Relaxed, true), Effect.mapError(toStorageError)),
      afterCommit: sql.afterCommit,
    }),
  ),
);
