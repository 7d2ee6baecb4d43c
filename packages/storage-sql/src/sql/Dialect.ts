import type { SqlClient } from "effect/sql";
import type { Cell, Clause } from "./Clause.ts";

/**
 * The differences of the two engines. Statements are written in the SQL that both know, with `?`
 * for parameters and with hints for SQLite's planner. PostgreSQL has none of these hints, and its
 * migrations create what it lacks: the function `json_each(text)` and the operator `text ->> text`.
 */

type Sql = SqlClient.SqlClient;

export const isPostgres = (sql: Sql): boolean =>
  sql.onDialectOrElse({ pg: () => true, orElse: () => false });

/** The expression of the engine. */
export const either = <A>(sql: Sql, sqlite: A, postgres: A): A =>
  isPostgres(sql) ? postgres : sqlite;

export interface Translated {
  readonly text: string;
  readonly isWrite: boolean;
}

const translated = new Map<string, Translated>();
/** The texts in the cache. Lists with filters have many texts, and a server runs for months. */
const most = 2_000;

/**
 * The text for PostgreSQL: numbers the parameters and removes the hints, which are `INDEXED BY`, the
 * unary plus, and the order of a `CROSS JOIN` with a condition. Its own hint is `OFFSET 0` in a
 * comment: such a condition is checked on the rows that the statement finds. Without it PostgreSQL
 * joins, believes that few rows remain, and reads and sorts all instead of a page. For the same
 * reason a list is an array, which is a condition of an index and not a table.
 */
export const toPostgres = (text: string): Translated => {
  const known = translated.get(text);
  if (known !== undefined) return known;
  let count = 0;
  const result = text
    .replaceAll("/* OFFSET 0 */", "OFFSET 0")
    .replaceAll(
      /(?<!\bNOT )\bIN (\(SELECT (?:value|CAST\(value AS BIGINT\)) FROM json_each\(\?\)\))/gu,
      "= ANY (ARRAY$1)",
    )
    .replaceAll(/ INDEXED BY \w+/gu, "")
    .replaceAll(/(?<=[\s(])\+(?=[a-z])/gu, "")
    .replaceAll(/\bCROSS JOIN (\w+(?: (?!ON\b)\w+)?)\s+ON\b/gu, "JOIN $1 ON")
    .replaceAll("?", () => `$${++count}`);
  if (translated.size >= most) translated.clear();
  const isWrite =
    /^\s*(?:INSERT|UPDATE|DELETE|WITH\b[^]*\b(?:INSERT INTO|UPDATE|DELETE FROM)\b)/u.test(text);
  const entry = { text: result, isWrite };
  translated.set(text, entry);
  return entry;
};

// PostgreSQL's text has no U+0000. It is stored as U+001A `0`, and U+001A itself doubled.
const escape = "\u001a";

const escapeText = (text: string): string =>
  text.replaceAll(escape, escape + escape).replaceAll("\0", `${escape}0`);

/** Text as PostgreSQL stores it. */
export const toPostgresText = (text: string): string =>
  text.includes("\0") || text.includes(escape) ? escapeText(text) : text;

/** Text as it was before it was stored. */
export const fromPostgresText = (text: string): string =>
  text.includes(escape)
    ? text
        .split(escape + escape)
        .map((part) => part.replaceAll(`${escape}0`, "\0"))
        .join(escape)
    : text;

/** Parameters as PostgreSQL stores them. */
export const toPostgresCells = (cells: ReadonlyArray<Cell>): ReadonlyArray<Cell> =>
  cells.some((cell) => typeof cell === "string" && toPostgresText(cell) !== cell)
    ? cells.map((cell) => (typeof cell === "string" ? toPostgresText(cell) : cell))
    : cells;

/** Follows a `SELECT` that locks its rows and passes over rows that another transaction holds. */
export const skipping = (sql: Sql): string => either(sql, "", "FOR NO KEY UPDATE SKIP LOCKED");

/**
 * `IN` the numbers that a query selects. PostgreSQL gets them as an array: it would join the tables,
 * and may then read all of the outer one.
 */
export const amongRows = (sql: Sql, { params, text }: Clause): Clause => ({
  text: either(sql, `IN (${text})`, `= ANY (ARRAY(${text}))`),
  params,
});
