import type { InboxStore, Page } from "@quartermaster/core";
import * as IssueTable from "../issues/IssueTable.ts";
import { always, type Clause, clause, limit, raw } from "../sql/Clause.ts";

/** Slices of the inbox. Priorities are stored as ranks, so columns sort as the inbox does. */

type Slice = Page.Slice<InboxStore.InboxKey>;

/** The columns of a key, in the order of the inbox. */
export type Columns = ReadonlyArray<string>;

/** The condition that a slice puts on its key. */
export const beyond = (slice: Slice, columns: Columns): Clause =>
  slice.after === null
    ? always
    : clause`(${raw(columns.join(", "))}) ${raw(slice.order === "asc" ? ">" : "<")}
        (${IssueTable.priorityRank(slice.after.priority)}, ${slice.after.since}, ${slice.after.id})`;

/** `ORDER BY key LIMIT n`. */
export const ordered = (slice: Slice, columns: Columns): Clause =>
  clause`ORDER BY ${raw(columns.map((column) => `${column} ${slice.order}`).join(", "))}
    ${limit(slice.limit)}`;
