import { Effect, Layer } from "effect";
import { SqlClient, SqlError } from "effect/sql";
import { Transactor } from "@quartermaster/core";
import * as StorageErrors from "./StorageErrors.ts";

/** Transactions of the present `SqlClient`. */
export const layer: Layer.Layer<Transactor.Transactor, never, SqlClient.SqlClient> = Layer.effect(
  Transactor.Transactor,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Transactor.Transactor.of({
      transact: (change) =>
        Effect.mapError(sql.withTransaction(change), (error) =>
          SqlError.isSqlError(error) ? StorageErrors.fromSqlError(error) : error,
        ),
      afterCommit: sql.afterCommit,
    }),
  ),
);
