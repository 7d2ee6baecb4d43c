import type { InboxStore, Page } from "@quartermaster/core";
import * as IssueTable from "../issues/IssueTable.ts";
import { always, type Clause, clause, limit, raw } from "../sql/Clause.ts";

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

/** `ORDER BY key LIMIT n`. */
export const ordered = (slice: Slice, columns: Columns): Clause =>
  clause`ORDER BY ${raw(columns.map((column) => `${column} ${slice.order}`).join(", "))}
    ${limit(slice.limit)}`;
