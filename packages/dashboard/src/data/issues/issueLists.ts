import type { BriefIssue, Issue } from "@quartermaster/client";
import type { InfiniteData } from "@tanstack/react-query";
import { queryClient } from "../live/query.ts";
import { type IssueFilter, type IssuePage, patchPages, removeFrom } from "./patch.ts";

/** The lists of issues that were read. Changes are put into their rows. */

/** As TanStack Query has a list. */
interface Pages extends Omit<InfiniteData<IssuePage, string | undefined>, "pages"> {
  readonly pages: ReadonlyArray<IssuePage>;
}

const patchLists = (
  change: (filter: IssueFilter, pages: ReadonlyArray<IssuePage>) => ReadonlyArray<IssuePage>,
) => {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: ["issues", "list"] })) {
    const data = query.state.data as Pages | undefined;
    if (data === undefined) continue;
    const pages = change(query.queryKey[2] as IssueFilter, data.pages);
    if (pages !== data.pages) query.setData({ ...data, pages } satisfies Pages as never);
  }
};

/** The issues that the lists of a search have: the server found them, whatever changes in them. */
const foundBy = (q: string): ReadonlySet<string> => {
  const ids = new Set<string>();
  for (const [key, data] of queryClient.getQueriesData<Pages>({ queryKey: ["issues", "list"] })) {
    if ((key[2] as IssueFilter).q !== q) continue;
    for (const { items } of data?.pages ?? []) for (const { id } of items) ids.add(id);
  }
  return ids;
};

/** Puts issues as they are now into every list. */
export const apply = (issues: ReadonlyArray<BriefIssue>) => {
  const changed = new Map(issues.map((issue) => [issue.id, issue]));
  if (changed.size === 0) return;
  const found = new Map<string, ReadonlySet<string>>();
  patchLists((filter, pages) => {
    const { q } = filter;
    if (q === undefined) return patchPages(filter, pages, changed);
    const ids = found.get(q) ?? foundBy(q);
    found.set(q, ids);
    return patchPages(filter, pages, changed, ids);
  });
};

export const remove = (ids: ReadonlySet<string>) =>
  patchLists((_, pages) => removeFrom(pages, ids));

/** The row of an issue that some list has. */
export const findIssue = (id: string): BriefIssue | undefined => {
  for (const [, data] of queryClient.getQueriesData<Pages>({ queryKey: ["issues", "list"] })) {
    for (const page of data?.pages ?? []) {
      const issue = page.items.find((item) => item.id === id);
      if (issue !== undefined) return issue;
    }
  }
  return undefined;
};

export const briefOf = (issue: Issue, known: BriefIssue | undefined): BriefIssue => {
  const { description: _, links: __, metadata: ___, ...fields } = issue;
  return {
    blockedByCount: 0,
    blocksCount: 0,
    openQuestions: 0,
    liveRun: null,
    ...known,
    ...fields,
  };
};

/** Puts an issue as it is now into the lists that have it. */
export const showInLists = (issue: Issue): void => {
  const known = findIssue(issue.id);
  if (known !== undefined) apply([briefOf(issue, known)]);
};

/** Takes a deleted issue out of the lists. */
export const removeFromLists = (id: string): void => remove(new Set([id]));

/** What the issues in the lists have in a field, for suggestions: the most frequent first. */
export const valuesInLists = (
  valuesOf: (issue: BriefIssue) => ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const issues = new Map<string, BriefIssue>();
  for (const [, data] of queryClient.getQueriesData<Pages>({ queryKey: ["issues", "list"] })) {
    for (const { items } of data?.pages ?? [])
      for (const issue of items) issues.set(issue.id, issue);
  }
  const counts = new Map<string, number>();
  for (const issue of issues.values()) {
    for (const value of valuesOf(issue)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([value]) => value);
};
