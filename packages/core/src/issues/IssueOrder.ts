import type { Keyset } from "../Page.ts";
import { IssuePriority, type IssueRow } from "./Issue.ts";
import type { IssueSort, SearchSort } from "./IssueFilter.ts";

/**
 * The orders of lists of issues. Descending, a list starts with the newest, the last changed or the most
 * urgent issue; issues of one priority are then oldest first. By relevance it starts with the best
 * tier, and in a tier with the last changed issue. Ascending is the exact reverse.
 */

/** A found issue and its tier. */
interface Hit {
  readonly issue: IssueRow;
  readonly tier: number;
}

/** The position of an issue in every order. */
export type IssueKey = Pick<IssueRow, "seq" | "updatedAt" | "priority">;

/** The position of an issue in every order of a search. */
export interface SearchKey extends IssueKey {
  readonly id: string;
  readonly tier: number;
}

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

const comparison = <A>(a: A, b: A): number => (a === b ? 0 : a < b ? -1 : 1);

/** Compares two issues of a search in the ascending order. */
export const compareFound =
  (sort: SearchSort) =>
  (a: SearchKey, b: SearchKey): number =>
    sort === "relevance"
      ? b.tier - a.tier || comparison(a.updatedAt, b.updatedAt) || comparison(a.id, b.id)
      : compare(sort)(a, b);

/** The paging of every order of a search. */
export const foundKeyset: Keyset<Hit, SearchKey> = {
  keyOf: ({ issue, tier }) => ({ ...issue, tier }),
  toText: ({ id, tier, ...key }) => `${tier} ${id} ${keyset.toText(key)}`,
  fromText: (text) => {
    const [, tier, id = "", rest = ""] = text.match(/^(-?\d) (\S+) (.+)$/) ?? [];
    const key = keyset.fromText(rest);
    return key === undefined ? undefined : { ...key, id, tier: Number(tier) };
  },
};
