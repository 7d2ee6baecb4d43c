import { Context, Effect, Exit, type Fiber, Option } from "effect";
import { type SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql";
import * as Batch from "../sql/Batch.ts";
import type { Cell, Clause } from "../sql/Clause.ts";
import type { New, Part, Table } from "../sql/Table.ts";
import { isTraced } from "./Tracing.ts";

/**
 * Runs the statements of stores. A statement is passed to the connection as text and parameters,
 * and its rows return as arrays of cells. Effect's `sql` builds each statement from fragments and
 * opens a span for it; without both, a claim takes two thirds of the time. An installed tracer or
 * statement transformer still gets every statement.
 */

type Sql = SqlClient.SqlClient;
type Cells = ReadonlyArray<unknown>;
type Params = ReadonlyArray<Cell>;
type Result<A> = Effect.Effect<A, SqlError.SqlError>;

const isWatched = (fiber: Fiber.Fiber<unknown, unknown>): boolean =>
  isTraced(fiber) || fiber.getRef(Statement.CurrentTransformer) !== undefined;

/** Uses the connection of the surrounding transaction if there is one, otherwise the client's. */
const onConnection = <A>(
  sql: Sql,
  fiber: Fiber.Fiber<unknown, unknown>,
  use: (connection: SqlConnection.Connection) => Result<A>,
): Result<A> => {
  const transaction = Context.getOrUndefined(fiber.context, sql.transactionService);
  if (transaction !== undefined) return use(transaction[0]);
  // A client with one shared connection exposes it as a value that is never released.
  const reserve: unknown = sql.reserve;
  return Exit.isExit(reserve) && Exit.isSuccess(reserve)
    ? use(reserve.value as SqlConnection.Connection)
    : Effect.scoped(Effect.flatMap(sql.reserve, use));
};

/**
 * Runs a statement built for this call. `Row` declares the selected columns, which the compiler
 * cannot check.
 */
export const run = <Row extends Cells>(
  sql: Sql,
  { params, text }: Clause,
): Result<ReadonlyArray<Row>> =>
  Effect.withFiber((fiber) =>
    isWatched(fiber)
      ? sql.unsafe(text, params).values
      : onConnection(sql, fiber, (connection) => connection.executeValues(text, params)),
  ) as Result<ReadonlyArray<Row>>;

/** Runs a statement of fixed text. */
export const query =
  <Row extends Cells>(sql: Sql, text: string) =>
  (...params: Params): Result<ReadonlyArray<Row>> =>
    run(sql, { text, params });

/** Selects rows of a table. The clause follows `FROM table`. */
export const select = <Row>(sql: Sql, table: Table<Row>) => {
  const start = `SELECT ${table.select()} FROM ${table.name} `;
  return ({ params, text }: Clause): Result<ReadonlyArray<Row>> =>
    Effect.map(run(sql, { text: start + text, params }), (rows) =>
      rows.map((cells) => table.toRow(cells)),
    );
};

/** Selects one row of a table. `rest` is fixed text after `FROM table`. */
export const one = <Row>(sql: Sql, table: Table<Row>, rest: string) => {
  const rows = query(sql, `SELECT ${table.select()} FROM ${table.name} ${rest}`);
  return (...params: Params): Result<Option.Option<Row>> =>
    Effect.map(rows(...params), ([cells]) =>
      cells === undefined ? Option.none() : Option.some(table.toRow(cells)),
    );
};

/** Runs a write of fixed text. Returns the `seq` of the last inserted row. */
export const change =
  (sql: Sql, text: string) =>
  (...params: Params): Result<number> =>
    Effect.map(
      Effect.withFiber((fiber) =>
        isWatched(fiber)
          ? sql.unsafe(text, params).raw
          : onConnection(sql, fiber, (connection) => connection.executeRaw(text, params)),
      ),
      seqOf,
    );

const seqOf = (outcome: unknown): number =>
  typeof outcome === "object" && outcome !== null && "lastInsertRowid" in outcome
    ? Number(outcome.lastInsertRowid)
    : 0;

/** Caches statements by their number of rows. */
const byCount = <Statement>(make: (count: number) => Statement) => {
  const statements = new Map<number, Statement>();
  return (count: number): Statement => {
    let statement = statements.get(count);
    if (statement === undefined) statements.set(count, (statement = make(count)));
    return statement;
  };
};

/**
 * A statement over many rows of `width` cells. Its text contains `values`, a list of parameter
 * rows, one for each row of the chunk.
 */
export const batch = <Row extends Cells>(
  sql: Sql,
  width: number,
  textOf: (values: string) => string,
) => {
  const ofCount = byCount((count) => query<Row>(sql, textOf(`VALUES ${Batch.rows(width, count)}`)));
  const runChunk = (rows: ReadonlyArray<Params>) => ofCount(rows.length)(...rows.flat());
  return (rows: ReadonlyArray<Params>): Result<ReadonlyArray<Row>> =>
    rows.length === 1
      ? runChunk(rows)
      : Effect.map(Effect.forEach(Batch.chunks(rows), runChunk), (found) => found.flat());
};

/** Updates columns of rows, found by `id`. */
export const update = <Row>(sql: Sql, table: string, { columns, toCells }: Part<Row>) => {
  const single = query(
    sql,
    `UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(", ")} WHERE id = ?`,
  );
  const many = batch(
    sql,
    columns.length + 1,
    (values) => `WITH n (id, ${columns.join(", ")}) AS (${values})
      UPDATE ${table} SET ${columns.map((column) => `${column} = n.${column}`).join(", ")}
      FROM n WHERE ${table}.id = n.id`,
  );
  return (rows: ReadonlyArray<Row>): Result<unknown> => {
    const [first] = rows;
    if (rows.length !== 1 || first === undefined) return many(rows.map(toCells));
    const [id = null, ...cells] = toCells(first);
    return single(...cells, id);
  };
};

/**
 * Inserts rows in their order. Returns the `seq` of the last one; 0 for none. `conflict` follows
 * the rows, such as `ON CONFLICT ...`.
 */
export const insert = <Row>(sql: Sql, table: Table<Row>, conflict = "") => {
  const ofCount = byCount((count) =>
    change(
      sql,
      `INSERT INTO ${table.name} (${table.columns.join(", ")})
        VALUES ${Batch.rows(table.columns.length, count)} ${conflict}`,
    ),
  );
  const runChunk = (rows: ReadonlyArray<New<Row>>) =>
    ofCount(rows.length)(...rows.flatMap(table.toCells));
  return (rows: ReadonlyArray<New<Row>>): Result<number> =>
    Effect.reduce(
      Batch.chunks(rows),
      () => 0,
      (_, chunk) => runChunk(chunk),
    );
};

/** Inserts rows, or replaces rows with equal `keys`, whose `seq` does not change. */
export const upsert = <Row>(sql: Sql, table: Table<Row>, keys: ReadonlyArray<string>) =>
  insert(
    sql,
    table,
    `ON CONFLICT (${keys.join(", ")}) DO UPDATE SET ${table.columns
      .filter((column) => column !== "seq" && !keys.includes(column))
      .map((column) => `${column} = excluded.${column}`)
      .join(", ")}`,
  );

/** Counts the rows that a statement returns. */
export const count = (sql: Sql, statement: Clause): Result<number> =>
  Effect.map(run(sql, statement), (rows) => rows.length);

/** Runs a statement and discards its rows. */
export const execute = (sql: Sql, statement: Clause): Result<void> =>
  Effect.asVoid(run(sql, statement));
