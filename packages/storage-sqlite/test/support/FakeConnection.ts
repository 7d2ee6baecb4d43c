import { Effect, Stream } from "effect";
import { SqlError, type SqlConnection } from "effect/sql";

/** A connection that records its statements, and fails the statements that the test chooses. */
export const make = () => {
  const said: Array<string> = [];
  /** By statement: the number of times it fails next, and the SQLite code. */
  const failures = new Map<string, { times: number; code: number; ends: boolean }>();
  let open = false;

  const execute = (sql: string) =>
    Effect.suspend(() => {
      said.push(sql);
      const failure = failures.get(sql);
      if (failure !== undefined && failure.times-- > 0) {
        if (failure.ends) open = false;
        return Effect.fail(
          new SqlError.SqlError({
            reason: SqlError.classifySqliteError({ errno: failure.code, errcode: failure.code }),
          }),
        );
      }
      if (sql.startsWith("BEGIN")) open = true;
      if (sql === "COMMIT" || sql === "ROLLBACK") open = false;
      return Effect.succeed([]);
    });

  const connection: SqlConnection.Connection = {
    execute,
    executeRaw: execute,
    executeValues: execute,
    executeValuesUnprepared: execute,
    executeUnprepared: execute,
    executeStream: () => Stream.empty,
  };
  return {
    connection,
    said,
    isTransaction: () => open,
    /** `ends`: SQLite also rolls the transaction back, as it may when the disk is full. */
    fail: (sql: string, code: number, { ends = false, times = 1 } = {}) => {
      failures.set(sql, { times, code, ends });
    },
  };
};
