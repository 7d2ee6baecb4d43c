import type { Page } from "@quartermaster/core";

/** SQL fragments with their parameters. */

export type Cell = string | number | boolean | null;

export interface Clause {
  readonly text: string;
  readonly params: ReadonlyArray<Cell>;
}

const isClause = (value: Cell | Clause): value is Clause =>
  typeof value === "object" && value !== null;

/** A tagged template. Clauses become part of the text, other values parameters. */
export const clause = (
  strings: TemplateStringsArray,
  ...values: ReadonlyArray<Cell | Clause>
): Clause => {
  let text = strings[0] ?? "";
  const params: Array<Cell> = [];
  values.forEach((value, index) => {
    if (isClause(value)) {
      text += value.text;
      params.push(...value.params);
    } else {
      text += "?";
      params.push(value);
    }
    text += strings[index + 1] ?? "";
  });
  return { text, params };
};

/** A fragment of verbatim text, such as a column name. */
export const raw = (text: string): Clause => ({ text, params: [] });

export const always: Clause = raw("1 = 1");
const never: Clause = raw("1 = 0");

const joined = (clauses: ReadonlyArray<Clause>, by: string): Clause => ({
  text: clauses.map(({ text }) => `(${text})`).join(by),
  params: clauses.flatMap(({ params }) => params),
});

export const and = (clauses: ReadonlyArray<Clause>): Clause =>
  clauses.length === 0 ? always : joined(clauses, " AND ");

export const or = (clauses: ReadonlyArray<Clause>): Clause =>
  clauses.length === 0 ? never : joined(clauses, " OR ");

/** A list for `IN` as one parameter, so that the statement is equal for every length. */
export const list = (items: ReadonlyArray<string>): Clause =>
  clause`(SELECT value FROM json_each(${JSON.stringify(items)}))`;

/** As `list`, for numbers. */
export const numbers = (items: ReadonlyArray<number>): Clause =>
  clause`(SELECT CAST(value AS BIGINT) FROM json_each(${JSON.stringify(items)}))`;

/** Restricts a column to these values; null does not restrict it. */
export const among = (column: string, values: ReadonlyArray<string> | null): Clause =>
  values === null ? always : clause`${raw(column)} IN ${list(values)}`;

/**
 * `LIMIT` as an expression: SQLite plans a statement again for each value of a bare `LIMIT`
 * parameter, which takes many times as long as the statement itself.
 */
export const limit = (count: number): Clause => clause`LIMIT ${count} + 0`;

/** The condition of a slice on its column. */
export const beyond = (slice: Page.Slice, column = "seq"): Clause =>
  slice.order === "asc"
    ? clause`${raw(column)} > ${slice.after ?? 0}`
    : clause`${raw(column)} < ${slice.after ?? Number.MAX_SAFE_INTEGER}`;

/** `ORDER BY column LIMIT n`. */
export const ordered = (slice: Page.Slice, column = "seq"): Clause =>
  clause`ORDER BY ${raw(column)} ${raw(slice.order)} ${limit(slice.limit)}`;
