import type { BriefIssue } from "@quartermaster/client";
import { hashKey } from "@tanstack/react-query";
import type { Data } from "../live/data.ts";
import { itemsOf, pagesOf } from "../live/query.ts";
import {
  type IssueFilter,
  type IssuePage,
  isOfServer,
  patchPages,
  queryOf,
  removeFrom,
} from "./patch.ts";
import { pendingChanges } from "./pendingChanges.ts";

const listOf = ({ api }: Data, filter: IssueFilter) =>
  // Lists that rows cannot tell have their own key: events of issues, agents and projects invalidate them.
  pagesOf([isOfServer(filter) ? "ready issues" : "issues", filter], (cursor, signal) =>
    api.issues
      .listAcross({ ...queryOf(filter), view: "brief", limit: 50, cursor }, { signal })
      .page(),
  );

type List = ReturnType<typeof listOf>;

/** The cached lists of issues. Changes patch their rows in place. */
export const issueRows = (data: Data) => {
  const { queries } = data;
  const pending = data.store(pendingChanges);
  const lists = new Map<string, { readonly filter: IssueFilter; readonly list: List }>();

  /** The lists that the cache still holds, with their pages. */
  const read = () =>
    [...lists].flatMap(([hash, { filter, list }]) => {
      const known = queries.getQueryData(list.queryKey);
      if (queries.getQueryState(list.queryKey) === undefined) lists.delete(hash);
      return known === undefined ? [] : [{ filter, list, known }];
    });

  const patch = (
    change: (filter: IssueFilter, pages: ReadonlyArray<IssuePage>) => ReadonlyArray<IssuePage>,
  ) => {
    for (const { filter, known, list } of read()) {
      const pages = change(filter, known.pages);
      if (pages !== known.pages) {
        queries.setQueryData(list.queryKey, { ...known, pages: [...pages] });
      }
    }
  };

  const all = () => read().flatMap(({ known }) => itemsOf(known));

  /** The ids that the server found for a search. A match is final: only the server can evaluate `q`. */
  const foundBy = (q: string): ReadonlySet<string> =>
    new Set(
      read()
        .filter(({ filter }) => filter.q === q)
        .flatMap(({ known }) => itemsOf(known).map(({ id }) => id)),
    );

  let shown: { readonly filter: IssueFilter; readonly isBoard: boolean } | null = null;

  /** Whether the list is on the screen: the shown list, or a column of the shown board. */
  const isShown = (filter: IssueFilter): boolean => {
    if (shown === null || (shown.isBoard && filter.status === undefined)) return false;
    const own = shown.isBoard ? { ...shown.filter, status: filter.status } : shown.filter;
    return hashKey([own]) === hashKey([filter]);
  };

  return {
    /** Records the filter and the view on the screen, for `around`. */
    show: (filter: IssueFilter, isBoard: boolean): void => {
      shown = { filter, isBoard };
    },
    /** The neighbors of an issue in the list or column that was last on the screen. */
    around: (
      id: string,
    ): { readonly previous?: string | undefined; readonly next?: string | undefined } => {
      const list = read()
        .filter(({ filter }) => isShown(filter))
        .map(({ known }) => itemsOf(known).map((issue) => issue.id))
        .find((ids) => ids.includes(id));
      const at = list?.indexOf(id) ?? -1;
      return list === undefined ? {} : { previous: list[at - 1], next: list[at + 1] };
    },
    /** The query of a list, page by page. */
    list: (filter: IssueFilter): List => {
      const list = listOf(data, filter);
      lists.set(hashKey(list.queryKey), { filter, list });
      return list;
    },
    /** The id of the issue with this key, if a cached list has it. */
    idOf: (key: string): string | undefined => all().find((issue) => issue.key === key)?.id,
    /** The row of an issue from any cached list. */
    find: (id: string): BriefIssue | undefined => all().find((issue) => issue.id === id),
    /** Updates rows in every cached list. Adds and removes them according to the filter of each list. */
    put: (rows: ReadonlyArray<BriefIssue>): void => {
      if (rows.length === 0) return;
      const changed = new Map(rows.map((issue) => [issue.id, pending.over(issue)]));
      const found = new Map<string, ReadonlySet<string>>();
      patch((filter, pages) => {
        const { q } = filter;
        if (q === undefined) return patchPages(filter, pages, changed);
        const ids = found.get(q) ?? foundBy(q);
        found.set(q, ids);
        return patchPages(filter, pages, changed, ids);
      });
    },
    remove: (ids: ReadonlySet<string>): void => patch((_, pages) => removeFrom(pages, ids)),
    /** The values of a field over all cached rows, most frequent first, for suggestions. */
    values: (valuesOf: (issue: BriefIssue) => ReadonlyArray<string>): ReadonlyArray<string> => {
      const issues = new Map(all().map((issue) => [issue.id, issue]));
      const counts = new Map<string, number>();
      for (const issue of issues.values()) {
        for (const value of valuesOf(issue)) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
      return [...counts]
        .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
        .map(([value]) => value);
    },
  };
};
