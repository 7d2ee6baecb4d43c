import { type SqlClient, Statement } from "effect/sql";

/** Many rows or values in one statement. */

export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

const most = 100;

/** As many as one statement takes; always as many as that, but for the last, so that its text is known. */
export const chunks = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / most) }, (_, index) =>
    items.slice(index * most, (index + 1) * most),
  );

const namesOf = (rows: ReadonlyArray<Row>) => Object.keys(rows[0] ?? {});

/** The rows' column names, separated by commas, each after `prefix`. */
export const columns = (rows: ReadonlyArray<Row>, prefix = ""): Statement.Fragment =>
  Statement.fragment([
    Statement.literal(
      namesOf(rows)
        .map((name) => `${prefix}${name}`)
        .join(", "),
    ),
  ]);

/** `VALUES` of the rows, their cells in the order of the first one's. */
export const values = (rows: ReadonlyArray<Row>): Statement.Fragment => {
  const names = namesOf(rows);
  const row = `(${names.map(() => "?").join(", ")})`;
  return Statement.fragment([
    Statement.literal(
      `VALUES ${rows.map(() => row).join(", ")}`,
      rows.flatMap((cells) => names.map((name) => cells[name])),
    ),
  ]);
};

/** `INSERT` of the rows, in their order. */
export const insert = (
  sql: SqlClient.SqlClient,
  table: string,
  rows: ReadonlyArray<Row>,
): Statement.Fragment => sql`INSERT INTO ${sql(table)} (${columns(rows)}) ${values(rows)}`;

/** `SET` of all columns but `id` to those of the table `from`. */
export const assignments = (rows: ReadonlyArray<Row>, from: string): Statement.Fragment =>
  Statement.fragment([
    Statement.literal(
      namesOf(rows)
        .filter((name) => name !== "id")
        .map((name) => `${name} = ${from}.${name}`)
        .join(", "),
    ),
  ]);

/** SQLite alone: a list, for `IN`, as one parameter, so that the statement is the same for every length. */
export const list = (
  sql: SqlClient.SqlClient,
  items: ReadonlyArray<string | number>,
): Statement.Fragment => sql`(SELECT value FROM json_each(${JSON.stringify(items)}))`;
