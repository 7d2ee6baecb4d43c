import type { InboxStore, Page } from "@quartermaster/core";
import type { SqlClient } from "effect/sql";
import * as IssueTable from "../issues/IssueTable.ts";
import { always, type Clause, clause, limit, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";

/**
 * Slices of the inbox in SQL. Priorities are stored as ranks, so columns sort in the order of the
 * inbox.
 */

type Slice = Page.Slice<InboxStore.InboxKey>;

/** The columns of an inbox key, in sort order. */
export type Columns = ReadonlyArray<string>;

/** The condition of a slice on the columns of its key. */
export const beyond = (slice: Slice, columns: Columns): Clause =>
  slice.after === null
    ? always
    : clause`(${raw(columns.join(", "))}) ${raw(slice.order === "asc" ? ">" : "<")}
        (${IssueTable.priorityRank(slice.after.priority)}, ${slice.after.since}, ${slice.after.id})`;

/** The condition that an issue is assigned to the user whose items these are. */
export const assigned = (table: string, mine: InboxStore.InboxQuery["mine"]): Clause =>
  mine == null ? always : clause`${raw(table)}.assignee_user_id = ${mine}`;

/** `ORDER BY key LIMIT n`. */
export const ordered = (slice: Slice, columns: Columns): Clause =>
  clause`ORDER BY ${raw(columns.map((column) => `${column} ${slice.order}`).join(", "))}
    ${limit(slice.limit)}`;

/**
 * Selects the `seq` of a slice for each row of `outer`. `slice` selects it from the table, and may
 * name columns of `outer`. SQLite knows no `LATERAL`, and PostgreSQL would carry out the other
 * statement for each row of the table.
 */
export const each = (
  sql: SqlClient.SqlClient,
  outer: Clause,
  table: "issues" | "questions",
  slice: Clause,
): Clause =>
  Dialect.either(
    sql,
    clause`SELECT o.seq FROM ${outer} CROSS JOIN ${raw(table)} o ON o.seq IN (${slice})`,
    clause`SELECT o.seq FROM ${outer} CROSS JOIN LATERAL (${slice}) o`,
  );
