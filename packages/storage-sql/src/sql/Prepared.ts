import { Context, Effect, Exit, type Fiber, Option } from "effect";
import { type SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql";
import * as Batch from "./Batch.ts";
import type { Cell, Clause } from "./Clause.ts";
import * as Dialect from "./Dialect.ts";
import { lean } from "./Lean.ts";
import type { New, Part, Table } from "./Table.ts";
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

/** A client with connections for lookups by a key. An interruption waits for the end of a lookup. */
interface ForLookups {
  readonly lookups?: Sql["reserve"];
}

/** Uses the connection of the surrounding transaction if there is one, otherwise the client's. */
const onConnection = <A>(
  sql: Sql,
  fiber: Fiber.Fiber<unknown, unknown>,
  use: (connection: SqlConnection.Connection) => Result<A>,
  isLookup = false,
): Result<A> => {
  const transaction = Context.getOrUndefined(fiber.context, sql.transactionService);
  if (transaction !== undefined) return use(transaction[0]);
  // A client with one shared connection exposes it as a value that is never released.
  const reserve: unknown = sql.reserve;
  const { lookups } = sql as ForLookups;
  if (isLookup && lookups !== undefined) {
    const used = Effect.flatMap(lookups, (connection) => Effect.uninterruptible(use(connection)));
    return lean(Effect.scoped(used));
  }
  return Exit.isExit(reserve) && Exit.isSuccess(reserve)
    ? use(reserve.value as SqlConnection.Connection)
    : lean(Effect.scoped(Effect.flatMap(sql.reserve, use)));
};

const onAny = (sql: Sql, text: string, params: Params, isLookup?: boolean) =>
  Effect.withFiber((fiber) =>
    isWatched(fiber)
      ? sql.unsafe(text, params).values
      : onConnection(sql, fiber, (connection) => connection.executeValues(text, params), isLookup),
  ) as Result<ReadonlyArray<Cells>>;

const outside = Effect.die(
  new Error("A write outside of a transaction. Call it within `Transactor.transact`"),
);

const onPostgres = (
  sql: Sql,
  { params, text }: Clause,
  isAlone: boolean,
  isLookup?: boolean,
): Result<ReadonlyArray<Cells>> =>
  Effect.withFiber((fiber) => {
    const translated = Dialect.toPostgres(text);
    return translated.isWrite &&
      !isAlone &&
      Context.getOrUndefined(fiber.context, sql.transactionService) === undefined
      ? outside
      : onAny(sql, translated.text, Dialect.toPostgresCells(params), isLookup);
  });

/**
 * Runs a statement built for this call. `Row` declares the selected columns, which the compiler
 * cannot check.
 */
export const run = <Row extends Cells>(sql: Sql, statement: Clause): Result<ReadonlyArray<Row>> =>
  (Dialect.isPostgres(sql)
    ? onPostgres(sql, statement, false)
    : onAny(sql, statement.text, statement.params)) as Result<ReadonlyArray<Row>>;

/** Runs a write that is a transaction of its own. SQLite refuses it. */
export const alone = (sql: Sql, statement: Clause): Result<ReadonlyArray<Cells>> =>
  onPostgres(sql, statement, true);

/** A connection of a transaction that sends a statement without waiting for the response. */
interface Posting {
  readonly post: (text: string, params: Params) => Result<void>;
}

/**
 * Runs a statement whose rows are not needed. In a transaction of PostgreSQL it is only sent: its failure
 * fails the next statement that is awaited, or the commit.
 */
export const execute = (sql: Sql, statement: Clause): Result<void> =>
  Dialect.isPostgres(sql)
    ? Effect.withFiber((fiber) => {
        const transaction = Context.getOrUndefined(fiber.context, sql.transactionService);
        const connection = transaction?.[0] as Partial<Posting> | undefined;
        return connection?.post === undefined || isWatched(fiber)
          ? Effect.asVoid(run(sql, statement))
          : connection.post(
              Dialect.toPostgres(statement.text).text,
              Dialect.toPostgresCells(statement.params),
            );
      })
    : Effect.asVoid(onAny(sql, statement.text, statement.params));

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

/** Selects one row of a table by a key. `rest` is fixed text after `FROM table`. */
export const one = <Row>(sql: Sql, table: Table<Row>, rest: string) => {
  const text = `SELECT ${table.select()} FROM ${table.name} ${rest}`;
  const isPostgres = Dialect.isPostgres(sql);
  const rows = (params: Params) =>
    isPostgres ? onPostgres(sql, { text, params }, false, true) : onAny(sql, text, params);
  return (...params: Params): Result<Option.Option<Row>> =>
    Effect.map(rows(params), ([cells]) =>
      cells === undefined ? Option.none() : Option.some(table.toRow(cells)),
    );
};

/** Inserts one row by fixed text without `RETURNING`. Returns its `seq`. */
export const change = (sql: Sql, text: string): ((...params: Params) => Result<number>) => {
  if (Dialect.isPostgres(sql)) {
    const insert = query<readonly [seq: number]>(sql, `${text} RETURNING seq`);
    return (...params) => Effect.map(insert(...params), ([row]) => row?.[0] ?? 0);
  }
  return (...params) =>
    Effect.map(
      Effect.withFiber((fiber) =>
        isWatched(fiber)
          ? sql.unsafe(text, params).raw
          : onConnection(sql, fiber, (connection) => connection.executeRaw(text, params)),
      ),
      seqOf,
    );
};

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
 * A statement over many rows with these columns of a table. Its text contains `rows`, a query for the
 * rows of the chunk. PostgreSQL reads them from one JSON document, which gives each column the type
 * of the table: the types of parameters that are all null are unknown to it. `hasRows`: whether it
 * returns rows.
 */
export const batch = <Row extends Cells>(
  sql: Sql,
  table: string,
  columns: ReadonlyArray<string>,
  textOf: (rows: string) => string,
  hasRows = true,
): ((rows: ReadonlyArray<Params>) => Result<ReadonlyArray<Row>>) => {
  if (Dialect.isPostgres(sql)) {
    const names = columns.map((column) => `r.${column}`).join(", ");
    const text = textOf(`SELECT ${names} FROM json_populate_recordset(NULL::${table}, ?) r`);
    return (rows) => {
      if (rows.length === 0) return Effect.succeed([]);
      const statement = { text, params: [documentOf(columns, rows)] };
      return hasRows ? run<Row>(sql, statement) : Effect.as(execute(sql, statement), []);
    };
  }
  const ofCount = byCount((count) =>
    query<Row>(sql, textOf(`VALUES ${Batch.rows(columns.length, count)}`)),
  );
  const runChunk = (rows: ReadonlyArray<Params>) => ofCount(rows.length)(...rows.flat());
  return (rows) =>
    rows.length === 1
      ? runChunk(rows)
      : Effect.map(Effect.forEach(Batch.chunks(rows), runChunk), (found) => found.flat());
};

const documentOf = (columns: ReadonlyArray<string>, rows: ReadonlyArray<Params>): string =>
  JSON.stringify(
    rows.map((row) => {
      const cells = Dialect.toPostgresCells(row);
      return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? null]));
    }),
  );

/** Updates columns of rows, found by `id`. */
export const update = <Row>(sql: Sql, table: string, { columns, toCells }: Part<Row>) => {
  const text = `UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(", ")} WHERE id = ?`;
  const many = batch(
    sql,
    table,
    ["id", ...columns],
    (values) => `WITH n (id, ${columns.join(", ")}) AS (${values})
      UPDATE ${table} SET ${columns.map((column) => `${column} = n.${column}`).join(", ")}
      FROM n WHERE ${table}.id = n.id`,
    false,
  );
  return (rows: ReadonlyArray<Row>): Result<unknown> => {
    const [first] = rows;
    if (rows.length !== 1 || first === undefined) return many(rows.map(toCells));
    const [id = null, ...cells] = toCells(first);
    return execute(sql, { text, params: [...cells, id] });
  };
};

/**
 * Inserts rows in their order. Returns the `seq` of each; nothing for tables without it. `conflict`
 * follows the rows, such as `ON CONFLICT ...`.
 */
export const insert = <Row>(
  sql: Sql,
  table: Table<Row>,
  conflict = "",
): ((rows: ReadonlyArray<New<Row>>) => Result<ReadonlyArray<number>>) => {
  if (Dialect.isPostgres(sql)) return insertInto(sql, table, conflict);
  const ofCount = byCount((count) =>
    change(
      sql,
      `INSERT INTO ${table.name} (${table.columns.join(", ")})
        VALUES ${Batch.rows(table.columns.length, count)} ${conflict}`,
    ),
  );
  // SQLite gives the rows of one statement consecutive numbers.
  const runChunk = (rows: ReadonlyArray<New<Row>>) =>
    Effect.map(ofCount(rows.length)(...rows.flatMap(table.toCells)), (last) =>
      rows.map((_, index) => last - rows.length + 1 + index),
    );
  return (rows) =>
    Effect.map(Effect.forEach(Batch.chunks(rows), runChunk), (numbers) => numbers.flat());
};

/** As `insert`, for rows whose `seq` is not needed. */
export const append = <Row>(
  sql: Sql,
  table: Table<Row>,
  conflict = "",
): ((rows: ReadonlyArray<New<Row>>) => Result<unknown>) =>
  Dialect.isPostgres(sql) ? insertInto(sql, table, conflict, false) : insert(sql, table, conflict);

/** Rows up to which each count has a statement of its own. Two as a document take the database twice as long. */
const fewRows = 4;

/**
 * PostgreSQL draws `seq` for each row, and other transactions draw in between. One row, whose parameters have the
 * types of the columns, takes 0.010 ms of the node and 0.020 of the database; as a document 0.016 and 0.022.
 */
const insertInto = <Row>(
  sql: Sql,
  table: Table<Row>,
  conflict: string,
  hasSeq = table.columns.includes("seq"),
) => {
  const columns = table.columns.filter((column) => column !== "seq");
  const names = columns.join(", ");
  type Seq = readonly [seq: number];
  const textOf = (values: string) => `INSERT INTO ${table.name} (${names}) ${values} ${conflict}
      ${hasSeq ? "RETURNING seq" : ""}`;
  const ofCount = byCount((count) => textOf(`VALUES ${Batch.rows(columns.length, count)}`));
  const some = (rows: ReadonlyArray<Params>): Result<ReadonlyArray<Seq>> => {
    const statement = { text: ofCount(rows.length), params: rows.flat() };
    return hasSeq ? run(sql, statement) : Effect.as(execute(sql, statement), []);
  };
  const many = batch<Seq>(sql, table.name, columns, textOf, hasSeq);
  const places = columns.map((column) => table.columns.indexOf(column));
  const toParams = (row: New<Row>): Params => {
    const cells = table.toCells(row);
    return places.map((place) => cells[place] ?? null);
  };
  return (rows: ReadonlyArray<New<Row>>): Result<ReadonlyArray<number>> => {
    const isFew = rows.length > 0 && rows.length <= fewRows;
    const inserted = (isFew ? some : many)(rows.map(toParams));
    return Effect.map(inserted, (found) => found.map(([seq]) => seq));
  };
};

/** Inserts a row, and returns it with its `seq`. */
export const insertOne = <Row extends { readonly seq: number }>(sql: Sql, table: Table<Row>) => {
  const insertRows = insert(sql, table);
  return <N extends New<Row>>(row: N): Result<N & { readonly seq: number }> =>
    Effect.map(insertRows([row]), ([seq = 0]) => ({ ...row, seq }));
};

/** Inserts rows, or replaces rows with equal `keys`, whose `seq` does not change. */
export const upsert = <Row>(sql: Sql, table: Table<Row>, keys: ReadonlyArray<string>) =>
  append(
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
