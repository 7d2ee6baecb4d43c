import { Effect } from "effect";
import { SqlError, type SqlConnection } from "effect/sql";

/** The only connection that writes. */
export interface Writer {
  readonly connection: SqlConnection.Connection;
  /** Whether a transaction is open. SQLite may roll one back, for example when the disk is full. */
  readonly isTransaction: () => boolean;
  /**
   * Sets whether the COMMIT of the next group waits for the disk. Called outside of a transaction.
   * Omitted if every COMMIT is the same.
   */
  readonly setRelaxed?: ((isRelaxed: boolean) => void) | undefined;
  /** Called after every COMMIT, with whether it waited for the disk. */
  readonly onCommit?: ((isSynced: boolean) => void) | undefined;
}

export type Result<A> = Effect.Effect<A, SqlError.SqlError>;

/** Runs a statement and ignores its rows. */
export const execute = ({ connection }: Writer, sql: string): Result<void> =>
  Effect.asVoid(connection.execute(sql, [], undefined));

/** The error of every statement in a transaction that SQLite rolled back. */
export const ended = (): SqlError.SqlError =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      message: "SQLite ended the transaction and stored nothing of it",
      cause: undefined,
      operation: "transaction",
    }),
  });

/**
 * The writer for one transaction. It accepts statements while `isOpen`. A later statement is a
 * defect, so a fiber that outlives its transaction cannot write into another one.
 */
export interface Transaction extends SqlConnection.Connection {
  isOpen: boolean;
}

export const makeTransaction = ({ connection, isTransaction }: Writer): Transaction => {
  const guard =
    <Args extends ReadonlyArray<unknown>, A>(f: (...args: Args) => Result<A>) =>
    (...args: Args): Result<A> =>
      Effect.suspend(() => {
        if (!transaction.isOpen) return Effect.die(new Error("The transaction is over"));
        return isTransaction() ? f(...args) : Effect.fail(ended());
      });
  const transaction: Transaction = {
    execute: guard(connection.execute),
    executeRaw: guard(connection.executeRaw),
    executeStream: connection.executeStream,
    executeValues: guard(connection.executeValues),
    executeValuesUnprepared: guard(connection.executeValuesUnprepared),
    executeUnprepared: guard(connection.executeUnprepared),
    isOpen: true,
  };
  return transaction;
};
