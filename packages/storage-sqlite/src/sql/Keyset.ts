import type { Page } from "@quartermaster/core";
import type { SqlClient, Statement } from "effect/sql";

/** The condition that a slice puts on `column`. */
export const beyond = (
  sql: SqlClient.SqlClient,
  slice: Page.Slice,
  column = "seq",
): Statement.Fragment =>
  slice.order === "asc"
    ? sql`${sql.literal(column)} > ${slice.after ?? 0}`
    : sql`${sql.literal(column)} < ${slice.after ?? Number.MAX_SAFE_INTEGER}`;

/**
 * `LIMIT` of a parameter. SQLite looks at the value of a bare one when it plans the statement, and
 * plans it anew for every value, which takes many times as long as the statement itself.
 */
export const limit = "LIMIT ? + 0";

/** `ORDER BY column LIMIT n`. */
export const ordered = (
  sql: SqlClient.SqlClient,
  slice: Page.Slice,
  column = "seq",
): Statement.Fragment =>
  sql`ORDER BY ${sql.literal(column)} ${sql.literal(slice.order)} LIMIT ${slice.limit} + 0`;
