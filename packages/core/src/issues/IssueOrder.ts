import type { Keyset } from "../Page.ts";
import { IssuePriority, type IssueRow } from "./Issue.ts";
import type { IssueSort } from "./IssueFilter.ts";

/**
 * The orders of lists of issues. Descending, a list starts with the newest, the last changed or the most
 * urgent issue; issues of one priority are then oldest first. Ascending is the exact reverse.
 */

/** The position of an issue in every order. */
export type IssueKey = Pick<IssueRow, "seq" | "updatedAt" | "priority">;

const rank = ({ priority }: IssueKey): number => IssuePriority.literals.indexOf(priority);

/** Compares two issues in the ascending order. */
export const compare =
  (sort: IssueSort) =>
  (a: IssueKey, b: IssueKey): number => {
    if (sort === "priority") return rank(b) - rank(a) || b.seq - a.seq;
    if (sort === "updated" && a.updatedAt !== b.updatedAt)
      return a.updatedAt < b.updatedAt ? -1 : 1;
    return a.seq - b.seq;
  };

/** The paging of every order. */
export const keyset: Keyset<IssueKey, IssueKey> = {
  keyOf: (row) => row,
  toText: (key) => `${key.seq} ${rank(key)} ${key.updatedAt}`,
  fromText: (text) => {
    const [, seq, place, updatedAt = ""] = text.match(/^(\d{1,15}) (\d) (\S+)$/) ?? [];
    const priority = IssuePriority.literals[Number(place)];
    return priority === undefined ? undefined : { seq: Number(seq), priority, updatedAt };
  },
};
