import type { BriefIssue, IssueCreate } from "@quartermaster/client";
import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useData, useStore } from "../live/data.ts";
import { showsFailure } from "../live/query.ts";
import { issueRows } from "./issueRows.ts";
import { type Command, type Fields, issueStore, type Target } from "./issueStore.ts";
import type { IssueFilter } from "./patch.ts";

export type { BriefIssue } from "@quartermaster/client";
export { escaped, type Has, type IssueFilter, labelsOf, type Sort } from "./patch.ts";
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

/** A list of brief issues, page by page. Events update its rows. */
export const useIssues = (filter: IssueFilter) =>
  useInfiniteQuery(useStore(issueRows).list(filter));

export const useIssueRows = () => useStore(issueRows);

/** Changes an issue. The page shows the change before the server responds; the shell reports a failure. */
export const useChangeIssue = () => {
  const issues = useStore(issueStore);
  return useMutation({
    mutationFn: ({ change, issue }: { readonly issue: Target; readonly change: Fields }) =>
      issues.change(issue, change),
  });
};

/** Sets the status of issues, which is taken back together. The shell reports the first failure. */
export const useMoveIssues = () => {
  const store = useStore(issueStore);
  return useMutation({
    mutationFn: ({
      issues,
      status,
    }: {
      readonly issues: ReadonlyArray<BriefIssue>;
      readonly status: Status;
    }) => store.changeAll(issues.map((issue) => ({ issue, fields: { status } }))),
  });
};

/**
 * Changes several issues, one request each. After all have finished it rejects with the first failure, which the
 * calling dialog shows, or else the shell.
 */
export const useChangeIssues = ({ isShown = true }: { readonly isShown?: boolean } = {}) => {
  const store = useStore(issueStore);
  return useMutation({
    meta: isShown ? showsFailure : {},
    mutationFn: async ({
      changeOf,
      issues,
    }: {
      readonly issues: ReadonlyArray<BriefIssue>;
      /** Returns the fields to change; null to leave the issue as it is. */
      readonly changeOf: (issue: BriefIssue) => Fields | null;
    }) => {
      const changes = issues.flatMap((issue) => {
        const fields = changeOf(issue);
        return fields === null ? [] : [{ issue, fields }];
      });
      await store.changeAll(changes);
    },
  });
};

/** Waits until all have finished, and then rejects with the first failure. */
const allOf = async (requests: ReadonlyArray<Promise<void>>): Promise<void> => {
  await Promise.allSettled(requests);
  await Promise.all(requests);
};

const useCommand = (meta: Readonly<Record<string, unknown>>) => {
  const issues = useStore(issueStore);
  return useMutation({
    meta,
    mutationFn: ({ command, issue }: { readonly issue: Target; readonly command: Command }) =>
      issues.run(issue, command),
  });
};

/**
 * Pauses or resumes an issue. The page shows the change before the server responds; the shell
 * reports a failure.
 */
export const usePauseIssue = () => useCommand({});

/** Closes an issue after 5 s, in which the user can take it back. The page shows the change immediately; the shell reports a failure. */
export const useCloseIssue = () => useCommand({});

/**
 * Deletes an issue. The page shows the change before the server responds; the calling dialog shows a
 * failure.
 */
export const useDeleteIssue = () => useCommand(showsFailure);

/** Pauses or resumes several issues. The shell reports the first failure. */
export const usePauseIssues = () => {
  const store = useStore(issueStore);
  return useMutation({
    mutationFn: ({
      issues,
      name,
    }: {
      readonly issues: ReadonlyArray<BriefIssue>;
      readonly name: "pause" | "resume";
    }) => allOf(issues.map((issue) => store.run(issue, { name }))),
  });
};

/** Deletes several issues. After all have finished it rejects with the first failure, which the calling dialog shows. */
export const useDeleteIssues = () => {
  const store = useStore(issueStore);
  return useMutation({
    meta: showsFailure,
    mutationFn: (issues: ReadonlyArray<BriefIssue>) =>
      allOf(issues.map((issue) => store.run(issue, { name: "delete" }))),
  });
};

/** Creates an issue. The calling dialog shows a failure. */
export const useCreateIssue = () => {
  const { api, warn } = useData();
  const issues = useStore(issueStore);
  return useMutation({
    meta: showsFailure,
    mutationFn: async (input: { readonly projectId: string } & IssueCreate) => {
      const issue = await api.issues.create(input);
      issues.putNew(issue);
      warn(issue);
      return issue;
    },
  });
};

/** Finds issues whose text contains every word; without a text, the newest issues. */
export const useSearchIssues = () => {
  const { api } = useData();
  return useCallback(
    async (q: string | undefined, signal: AbortSignal) =>
      (await api.issues.listAcross({ q, view: "brief", limit: 8 }, { signal }).page()).items,
    [api],
  );
};

/** The title and the status of an issue that another issue links to. */
export const useNamedIssue = (issueId: string) => {
  const { api } = useData();
  const rows = useStore(issueRows);
  return useQuery({
    queryKey: ["issue name", issueId],
    queryFn: async ({ signal }) => {
      const { id, key, projectId, status, title } = await api.issues.get({ issueId }, { signal });
      return { id, key, projectId, status, title };
    },
    placeholderData: () => rows.find(issueId),
    staleTime: 60_000,
  });
};
