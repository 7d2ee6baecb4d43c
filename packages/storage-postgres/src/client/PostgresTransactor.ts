import { Errors, Transactor } from "@quartermaster/core";
import { Prepared, Clause, StorageErrors } from "@quartermaster/storage-sql";
import { Context, Effect, Exit, Cause, Layer, Option, Semaphore } from "effect";
import { SqlClient, SqlError } from "effect/sql";
import { Connections, type Transaction } from "./Connections.ts";
import { pause } from "./Pause.ts";
import { Reachability } from "./Reachability.ts";
import * as Transactions from "./Transactions.ts";

/**
 * Transactions that run again when they lose a race.
 *
 * At `REPEATABLE READ` a transaction reads one snapshot, and fails with 40001 if a row that it writes
 * has been changed since. The rules of the stores make all other races write one row: see
 * docs/second-engine.md. `SERIALIZABLE` needs no rules, and is the oracle of the tests: it runs 3 to
 * 15 times slower, because the engine also sees conflicts where there are none.
 */
export type Isolation = "REPEATABLE READ" | "SERIALIZABLE";

/** The time from its first start for which a change runs again. */
const rerunMillis = 5_000;
/** The runs of a change that loses races, whatever their time: one run of a large plan may take that long. */
const leastRuns = 3;
const longestPauseMillis = 100;

/** States after which the change runs again. The connection may have to be replaced. */
const again = /^(?:40001|40P01|55P03|25006|25P02|08...|57P0[123])$/u;
/** The state of a write on a standby. */
const readOnly = "25006";
/** A key that another transaction inserted: the next run finds its row. */
const once = /^23(?:505|503)$/u;

/** COMMIT was sent, and the connection broke before the response. */
class UnknownOutcome extends Error {}

const unknownOutcome = (cause: unknown) =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({
      message: "It is not known whether the change was stored",
      cause: new UnknownOutcome("COMMIT without a response", { cause }),
      operation: "commit",
    }),
  });

const isUnknown = (error: SqlError.SqlError) => error.reason.cause instanceof UnknownOutcome;

/** The failure of the database that ended the change; undefined for other failures. */
const failureOf = <E>(cause: Cause.Cause<E>): SqlError.SqlError | undefined => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause));
  if (SqlError.isSqlError(error)) return error;
  return error instanceof Errors.StorageError && SqlError.isSqlError(error.cause)
    ? error.cause
    : undefined;
};

const toStorageError = <E>(
  error: E | SqlError.SqlError,
): Exclude<E, SqlError.SqlError> | Errors.StorageError => {
  if (!SqlError.isSqlError(error)) return error as Exclude<E, SqlError.SqlError>;
  return isUnknown(error)
    ? new Errors.StorageError({
        reason: error.message,
        isRetryable: true,
        cause: error.reason.cause,
      })
    : StorageErrors.fromSqlError(error);
};

/** COMMIT was sent when it fails without a response. */
const commit = (transaction: Transaction): Effect.Effect<void, SqlError.SqlError> =>
  Effect.mapError(transaction.commit(), (error) =>
    StorageErrors.stateOf(error) === "" ? unknownOutcome(error) : error,
  );

/** Transactions of the current `SqlClient`. */
export const layer = (
  isolation: Isolation = "REPEATABLE READ",
): Layer.Layer<Transactor.Transactor, never, SqlClient.SqlClient | Connections | Reachability> =>
  Layer.effect(
    Transactor.Transactor,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient;
      const connections = yield* Connections;
      const { leave } = yield* Reachability;
      /** Changes that run again do so two at a time, so that many on one row take O(n), not O(n²). */
      const turns = yield* Semaphore.make(2);
      const begin = [`BEGIN ISOLATION LEVEL ${isolation}`];
      const beginRelaxed = [...begin, "SET LOCAL synchronous_commit = off"];
      const transact = Transactions.make({
        service: sql.transactionService,
        acquire: connections.transaction,
        commit,
      });

      const rerunning = <A, E, R>(
        change: Effect.Effect<A, E | SqlError.SqlError, R>,
      ): Effect.Effect<A, E | SqlError.SqlError, R> => {
        const started = performance.now();
        const attempt = (
          number: number,
          keys: number,
        ): Effect.Effect<A, E | SqlError.SqlError, R> =>
          Effect.flatMap(Effect.exit(change), (exit) => {
            if (Exit.isSuccess(exit)) return Effect.succeed(exit.value);
            const failure = failureOf(exit.cause);
            const state = failure === undefined ? "" : StorageErrors.stateOf(failure);
            const isKey = once.test(state);
            const isLost =
              failure !== undefined &&
              !isUnknown(failure) &&
              (again.test(state) ||
                (isKey && keys === 0) ||
                (state === "" && failure.reason._tag === "ConnectionError"));
            const isEarly = number < leastRuns && (isKey || state.startsWith("40"));
            const isLate = !isEarly && performance.now() - started > rerunMillis;
            if (!isLost || isLate) return exit;
            const wait =
              Math.min(2 ** number, longestPauseMillis) * (0.5 + (performance.now() % 1));
            const next = attempt(number + 1, keys + (isKey ? 1 : 0));
            const later = Effect.andThen(pause(wait), next);
            // Only the first rerun takes a turn; the later ones have it.
            const rerun = number === 1 ? turns.withPermit(later) : later;
            return state === readOnly ? Effect.andThen(leave, rerun) : rerun;
          });
        return attempt(1, 0);
      };

      /** A nested transaction is part of the outermost one, and runs again only with that one. */
      const transactAs =
        (statements: ReadonlyArray<string>) =>
        <A, E, R>(change: Effect.Effect<A, E, R>) =>
          Effect.mapError(
            Effect.withFiber((fiber) => {
              const isNested =
                Context.getOrUndefined(fiber.context, sql.transactionService) !== undefined;
              const transaction = transact(change, statements);
              return isNested ? transaction : rerunning(transaction);
            }),
            toStorageError,
          ) as Effect.Effect<A, E | Errors.StorageError, R>;

      return Transactor.Transactor.of({
        // Without a transaction: a node that is cut off inside one would hold the row from all nodes.
        check: Effect.mapError(
          rerunning(
            Effect.asVoid(
              Prepared.alone(
                sql,
                Clause.clause`UPDATE guards SET n = n + 1 WHERE name = ${"check"}`,
              ),
            ),
          ),
          toStorageError,
        ),
        transact: transactAs(begin),
        transactRelaxed: transactAs(beginRelaxed),
        afterCommit: sql.afterCommit,
      });
    }),
  );
