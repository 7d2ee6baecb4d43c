import { Context, Effect, type Fiber, References, Tracer } from "effect";
import { type SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql";
import * as Batch from "./Batch.ts";

/**
 * Statements of requests, whose text is known beforehand. They go to the connection as they are:
 * putting a statement together from its pieces, and a span around it that nobody sees, cost more
 * than SQLite takes for it. Whoever traces or transforms statements gets them whole. Rows come as arrays, in the order of the
 * columns, which is half the work of objects.
 */

type Sql = SqlClient.SqlClient;
type Params = ReadonlyArray<Batch.Cell>;
type Result<A> = Effect.Effect<A, SqlError.SqlError>;

const isWatched = (fiber: Fiber.Fiber<unknown, unknown>): boolean =>
  (fiber.getRef(References.TracerEnabled) && fiber.getRef(Tracer.Tracer) !== Tracer.nativeTracer) ||
  fiber.getRef(Statement.CurrentTransformer) !== undefined;

/** On the connection of the present transaction, if there is one. */
const onConnection = <A>(
  sql: Sql,
  fiber: Fiber.Fiber<unknown, unknown>,
  use: (connection: SqlConnection.Connection) => Result<A>,
): Result<A> => {
  const transaction = Context.getOrUndefined(fiber.context, sql.transactionService);
  return transaction === undefined
    ? Effect.scoped(Effect.flatMap(sql.reserve, use))
    : use(transaction[0]);
};

/** A query. */
export const query =
  <Row extends ReadonlyArray<unknown>>(sql: Sql, text: string) =>
  (...params: Params): Result<ReadonlyArray<Row>> =>
    Effect.withFiber((fiber) =>
      isWatched(fiber)
        ? sql.unsafe(text, params).values
        : onConnection(sql, fiber, (connection) => connection.executeValues(text, params)),
    ) as Result<ReadonlyArray<Row>>;

/** SQLite alone: a change. Answers the `seq` of the last row that was ever inserted. */
export const change =
  (sql: Sql, text: string) =>
  (...params: Params): Result<number> =>
    Effect.map(
      Effect.withFiber<unknown, SqlError.SqlError>((fiber) =>
        isWatched(fiber)
          ? sql.unsafe(text, params).raw
          : onConnection(sql, fiber, (connection) => connection.executeRaw(text, params)),
      ),
      (done) => Number((done as { readonly lastInsertRowid: number | bigint }).lastInsertRowid),
    );

/** Inserts rows of the same columns, in their order, and answers the `seq` of the last one. */
export const insert = (sql: Sql, table: string) => {
  // Of one row the text is put together once; its columns are the same ever after.
  let names: ReadonlyArray<string> = [];
  let single = change(sql, "");
  const textOf = (count: number) => {
    const row = `(${names.map(() => "?").join(", ")})`;
    const rows = Array.from({ length: count }, () => row).join(", ");
    return `INSERT INTO ${table} (${names.join(", ")}) VALUES ${rows}`;
  };
  const cellsOf = (row: Batch.Row) => names.map((name) => row[name] ?? null);
  return (rows: ReadonlyArray<Batch.Row>): Result<number> => {
    const [first] = rows;
    if (first === undefined) return Effect.succeed(0);
    if (names.length === 0) {
      names = Object.keys(first);
      single = change(sql, textOf(1));
    }
    if (rows.length === 1) return single(...cellsOf(first));
    return Effect.reduce(
      Batch.chunks(rows),
      () => 0,
      (_, chunk) => change(sql, textOf(chunk.length))(...chunk.flatMap(cellsOf)),
    );
  };
};
