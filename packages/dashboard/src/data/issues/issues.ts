import type { BriefIssue, Event, Issue, IssueCreate, IssueUpdate } from "@quartermaster/client";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { api } from "../live/client.ts";
import { onEvents } from "../live/live.ts";
import { queryClient, throttled } from "../live/query.ts";
import { apply, briefOf, findIssue, remove } from "./issueLists.ts";
import type { IssueFilter, IssuePage } from "./patch.ts";

export type { BriefIssue } from "@quartermaster/client";
export type { IssueFilter } from "./patch.ts";
export { findIssue, valuesInLists } from "./issueLists.ts";
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
}, 100);

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
