import type { BriefIssue, Event, Issue, IssueCreate, IssueUpdate } from "@quartermaster/client";
import { type InfiniteData, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { api } from "./client.ts";
import { onEvents } from "./live.ts";
import { belongs, type IssueFilter, type IssuePage, patchPages, removeFrom } from "./patch.ts";
import { queryClient, throttled } from "./query.ts";

export type { BriefIssue } from "@quartermaster/client";
export type { IssueFilter } from "./patch.ts";
export type Status = BriefIssue["status"];
export type Priority = BriefIssue["priority"];
export const statuses: ReadonlyArray<Status> = [
  "Open",
  "InProgress",
  "WaitingOnDependency",
  "PendingReview",
  "Resolved",
  "Closed",
];
export const priorities: ReadonlyArray<Priority> = ["urgent", "high", "normal", "low"];

/** As TanStack Query has a list. */
interface Pages extends Omit<InfiniteData<IssuePage, string | undefined>, "pages"> {
  readonly pages: ReadonlyArray<IssuePage>;
}

const listKey = (filter: IssueFilter) => ["issues", "list", filter] as const;

/** A list of brief issues, newest first, page by page. Events patch its rows. */
export const useIssues = (filter: IssueFilter) =>
  useInfiniteQuery({
    queryKey: listKey(filter),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }): Promise<IssuePage> =>
      api.issues
        .listAcross({ ...filter, view: "brief", limit: 50, cursor: pageParam }, { signal })
        .page(),
    getNextPageParam: ({ next }) => next ?? undefined,
  });

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
const apply = (issues: ReadonlyArray<BriefIssue>) => {
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

const remove = (ids: ReadonlySet<string>) => patchLists((_, pages) => removeFrom(pages, ids));

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

const briefOf = (issue: Issue, known: BriefIssue | undefined): BriefIssue => {
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

/** An issue is stamped before its event, by as much as its transaction takes. */
const marginMillis = 5_000;

let since: string | null = null;

/** Reads what changed since the oldest event that was not read yet: one request, whatever their number. */
const pull = throttled(async () => {
  const updatedSince = since;
  since = null;
  if (updatedSince === null) return;
  let cursor: string | undefined;
  for (let page = 0; page < 4; page++) {
    const { items, next } = await api.issues
      .listAcross({ updatedSince, view: "brief", limit: 200, cursor })
      .page();
    apply(items);
    if (next === null) return;
    cursor = next;
  }
  await queryClient.invalidateQueries({ queryKey: ["issues", "list"] });
}, 250);

const questionsBy: Readonly<Record<string, number>> = {
  "issue.asked": 1,
  "issue.answered": -1,
  "issue.questionExpired": -1,
  "issue.questionWithdrawn": -1,
};

const onIssueEvents = (events: ReadonlyArray<Event>) => {
  const deleted = new Set<string>();
  const asked = new Map<string, BriefIssue>();
  for (const { createdAt, kind, subjectId } of events) {
    if (!kind.startsWith("issue.")) continue;
    if (kind === "issue.deleted") deleted.add(subjectId);
    const questions = questionsBy[kind];
    const row =
      questions === undefined ? undefined : (asked.get(subjectId) ?? findIssue(subjectId));
    if (row !== undefined && questions !== undefined) {
      asked.set(subjectId, { ...row, openQuestions: Math.max(0, row.openQuestions + questions) });
    }
    const from = new Date(Date.parse(createdAt) - marginMillis).toISOString();
    if (since === null || from < since) since = from;
  }
  if (deleted.size > 0) remove(deleted);
  apply([...asked.values()]);
  if (since !== null) pull();
};

onEvents(onIssueEvents);

/** Puts an issue as it is now into the lists that have it. */
export const showInLists = (issue: Issue): void => {
  const known = findIssue(issue.id);
  if (known !== undefined) apply([briefOf(issue, known)]);
};

/** Takes a deleted issue out of the lists. */
export const removeFromLists = (id: string): void => remove(new Set([id]));

const needsServer = (key: ReadonlyArray<unknown>) =>
  key[0] === "issues" && key[1] === "list" && (key[2] as IssueFilter).ready !== undefined;

/** Reads the lists of ready issues again: also agents and projects decide what is in them. */
const pullReady = throttled(
  () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => needsServer(queryKey) }),
  1_000,
);

onEvents((events) => {
  if (events.some(({ kind }) => /^(issue|agent|project)\./.test(kind))) pullReady();
});

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

/** Shows a change immediately, and takes it back if the server refuses it. */
export const optimistic = async (
  issue: BriefIssue,
  shown: Partial<BriefIssue>,
  save: () => Promise<Issue | void>,
): Promise<void> => {
  apply([{ ...issue, ...shown }]);
  try {
    const saved = await save();
    if (saved !== undefined) apply([briefOf(saved, findIssue(issue.id) ?? issue)]);
  } catch (error) {
    apply([issue]);
    const actual = await api.issues.get({ issueId: issue.id }).catch(() => null);
    if (actual !== null) apply([briefOf(actual, issue)]);
    throw error;
  }
};

/** A change of an issue, shown immediately. Its failure is reported by the shell. */
export const useChangeIssue = () =>
  useMutation({
    mutationFn: ({
      change,
      issue,
    }: {
      readonly issue: BriefIssue;
      readonly change: IssueUpdate & Partial<BriefIssue>;
    }) =>
      optimistic(issue, change, () =>
        api.issues.update({ issueId: issue.id, ...change }, { ifMatch: issue.version }),
      ),
  });

/** A command on an issue: pause, resume, close, delete. */
export const useIssueCommand = () =>
  useMutation({
    mutationFn: ({
      command,
      force = false,
      issue,
    }: {
      readonly issue: BriefIssue;
      /** Whether to close it though open issues wait for it. */
      readonly force?: boolean;
      readonly command: "pause" | "resume" | "close" | "delete";
    }) => {
      const args = { issueId: issue.id };
      const options = { ifMatch: issue.version };
      switch (command) {
        case "pause":
          return optimistic(issue, { paused: true, status: "Open" }, () =>
            api.issues.pause(args, options),
          );
        case "resume":
          return optimistic(issue, { paused: false, status: "InProgress" }, () =>
            api.issues.resume(args, options),
          );
        case "close":
          return optimistic(issue, { status: "Closed" }, () =>
            api.issues.close({ ...args, force }, options),
          );
        case "delete":
          remove(new Set([issue.id]));
          return api.issues.delete({ ...args, confirm: true }, options).catch((error: unknown) => {
            apply([issue]);
            throw error;
          });
      }
    },
  });

export const useCreateIssue = () =>
  useMutation({
    mutationFn: async (input: { readonly projectId: string } & IssueCreate) => {
      const issue = await api.issues.create(input);
      apply([briefOf(issue, undefined)]);
      return issue;
    },
  });

/** Issues whose text has all words, or the newest issues. */
export const searchIssues = async (q: string | undefined, signal: AbortSignal) =>
  (await api.issues.listAcross({ q, view: "brief", limit: 8 }, { signal }).page()).items;

export { belongs };
