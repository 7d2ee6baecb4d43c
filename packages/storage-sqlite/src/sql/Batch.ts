import { type SqlClient, Statement } from "effect/sql";

/** Many rows or values in one statement. */

export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

const most = 100;

/** As many as one statement takes; always as many as that, but for the last, so that its text is known. */
export const chunks = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.length <= most && items.length > 0
    ? [items]
    : Array.from({ length: Math.ceil(items.length / most) }, (_, index) =>
        items.slice(index * most, (index + 1) * most),
      );

/** As many parameters, in parentheses. */
export const row = (count: number): string =>
  `(${Array.from({ length: count }, () => "?").join(", ")})`;

/** `INSERT` of the rows, in their order. */
export const insert = (table: string, rows: ReadonlyArray<Row>): Statement.Fragment => {
  const names = Object.keys(rows[0] ?? {});
  return Statement.fragment([
    Statement.literal(
      `INSERT INTO ${table} (${names.join(", ")})
        VALUES ${rows.map(() => row(names.length)).join(", ")}`,
      rows.flatMap((cells) => names.map((name) => cells[name])),
    ),
  ]);
};

/** SQLite alone: a list, for `IN`, as one parameter, so that the statement is the same for every length. */
export const list = (
  sql: SqlClient.SqlClient,
  items: ReadonlyArray<string | number>,
): Statement.Fragment => sql`(SELECT value FROM json_each(${JSON.stringify(items)}))`;
