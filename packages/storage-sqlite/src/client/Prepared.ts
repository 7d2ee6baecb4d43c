import { Span } from "@quartermaster/core";
import { Context, Effect, Exit, type Fiber, Option } from "effect";
import { type SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql";
import * as Batch from "../sql/Batch.ts";

/**
 * Statements of requests, whose text is known beforehand. They go to the connection as they are:
 * putting a statement together from its pieces, and a span around it that nobody sees, cost more
 * than SQLite takes for it. Whoever traces or transforms statements gets them whole. Rows come as
 * arrays, in the order of the columns, which is half the work of objects.
 */

type Sql = SqlClient.SqlClient;
type Params = ReadonlyArray<Batch.Cell>;
type Result<A> = Effect.Effect<A, SqlError.SqlError>;

const isWatched = (fiber: Fiber.Fiber<unknown, unknown>): boolean =>
  Span.isSeen(fiber.context as Context.Context<never>) ||
  fiber.getRef(Statement.CurrentTransformer) !== undefined;

/** On the connection of the present transaction, if there is one. */
const onConnection = <A>(
  sql: Sql,
  fiber: Fiber.Fiber<unknown, unknown>,
  use: (connection: SqlConnection.Connection) => Result<A>,
): Result<A> => {
  const transaction = Context.getOrUndefined(fiber.context, sql.transactionService);
  if (transaction !== undefined) return use(transaction[0]);
  // Where there is one connection for all, nothing is to be given back.
  const { reserve } = sql;
  return Exit.isExit(reserve) && Exit.isSuccess(reserve)
    ? use(reserve.value as SqlConnection.Connection)
    : Effect.scoped(Effect.flatMap(reserve, use));
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

/** A query whose rows come as objects: for those of many columns that are asked for less. */
export const objects =
  <Row extends object>(sql: Sql, text: string) =>
  (...params: Params): Result<ReadonlyArray<Row>> =>
    Effect.withFiber((fiber) =>
      isWatched(fiber)
        ? sql.unsafe<Row>(text, params)
        : onConnection(sql, fiber, (connection) => connection.execute(text, params, undefined)),
    ) as Result<ReadonlyArray<Row>>;

/** A query of one row, if there is one. */
export const one = <Row extends ReadonlyArray<unknown>>(sql: Sql, text: string) => {
  const rows = query<Row>(sql, text);
  return (...params: Params): Result<Option.Option<Row>> =>
    Effect.map(rows(...params), ([row]) => Option.fromNullishOr(row));
};

/** Statements by their count of rows, put together once. */
const byCount = <Statement>(make: (count: number) => Statement) => {
  const made = new Map<number, Statement>();
  return (count: number): Statement => {
    let statement = made.get(count);
    if (statement === undefined) made.set(count, (statement = make(count)));
    return statement;
  };
};

/**
 * A statement over many rows of the columns `names`, which its text has from `values`, a list of as
 * many rows of parameters as there are in a chunk.
 */
export const batch = <Row extends ReadonlyArray<unknown>>(
  sql: Sql,
  names: ReadonlyArray<string>,
  textOf: (values: string) => string,
) => {
  const row = Batch.row(names.length);
  const ofCount = byCount((count) =>
    query<Row>(sql, textOf(`VALUES ${Array.from({ length: count }, () => row).join(", ")}`)),
  );
  const run = (rows: ReadonlyArray<Batch.Row>) =>
    ofCount(rows.length)(...rows.flatMap((cells) => names.map((name) => cells[name] ?? null)));
  return (rows: ReadonlyArray<Batch.Row>): Result<ReadonlyArray<Row>> =>
    rows.length === 1
      ? run(rows)
      : Effect.map(Effect.forEach(Batch.chunks(rows), run), (found) => found.flat());
};

/** Replaces the columns `names` of rows by their `id`. */
export const update = (sql: Sql, table: string, names: ReadonlyArray<string>) => {
  const single = query(
    sql,
    `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(", ")} WHERE id = ?`,
  );
  const many = batch(
    sql,
    ["id", ...names],
    (values) => `WITH n (id, ${names.join(", ")}) AS (${values})
      UPDATE ${table} SET ${names.map((name) => `${name} = n.${name}`).join(", ")}
      FROM n WHERE ${table}.id = n.id`,
  );
  return (rows: ReadonlyArray<Batch.Row>): Result<unknown> => {
    const [first] = rows;
    return rows.length === 1 && first !== undefined
      ? single(...[...names, "id"].map((name) => first[name] ?? null))
      : many(rows);
  };
};

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
  // The columns are the same ever after.
  let names: ReadonlyArray<string> = [];
  const ofCount = byCount((count) => {
    const rows = Array.from({ length: count }, () => Batch.row(names.length)).join(", ");
    return change(sql, `INSERT INTO ${table} (${names.join(", ")}) VALUES ${rows}`);
  });
  const run = (rows: ReadonlyArray<Batch.Row>) =>
    ofCount(rows.length)(...rows.flatMap((row) => names.map((name) => row[name] ?? null)));
  return (rows: ReadonlyArray<Batch.Row>): Result<number> => {
    const [first] = rows;
    if (first === undefined) return Effect.succeed(0);
    if (names.length === 0) names = Object.keys(first);
    const chunks = Batch.chunks(rows);
    return chunks.length === 1
      ? run(rows)
      : Effect.reduce(
          chunks,
          () => 0,
          (_, chunk) => run(chunk),
        );
  };
};
