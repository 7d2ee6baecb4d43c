import type { Issue, IssueUpdate } from "@quartermaster/client";
import { useMutation } from "@tanstack/react-query";
import { api } from "../live/client.ts";
import { showsFailure } from "../live/query.ts";
import { optimistic, put } from "./issue.ts";
import { removeFromLists } from "./issueLists.ts";
import { useAddComment } from "./stream.ts";

/** What a person changes on the page of one issue. */

/** Sets fields of the issue, shown immediately. The shell reports a failure. */
export const useSetFields = () =>
  useMutation({
    mutationFn: ({
      change,
      issue,
    }: {
      readonly issue: Issue;
      readonly change: IssueUpdate & Partial<Issue>;
    }) =>
      optimistic(issue, change, () =>
        api.issues.update({ issueId: issue.id, ...change }, { ifMatch: issue.version }),
      ),
  });

export type Command =
  | { readonly name: "pause" | "resume" }
  | { readonly name: "close"; readonly force: boolean }
  | { readonly name: "delete" };

/** Pause and resume show their failure by the shell; close and delete are asked for in a dialog, which shows it. */
const useRun = (meta: Readonly<Record<string, unknown>>) =>
  useMutation({
    meta,
    mutationFn: ({ command, issue }: { readonly issue: Issue; readonly command: Command }) => {
      const args = { issueId: issue.id };
      const options = { ifMatch: issue.version };
      switch (command.name) {
        case "pause":
          return optimistic(issue, { paused: true, pausedBecause: "person", status: "Open" }, () =>
            api.issues.pause(args, options),
          );
        case "resume":
          return optimistic(
            issue,
            { paused: false, pausedBecause: null, status: "InProgress" },
            () => api.issues.resume(args, options),
          );
        case "close":
          return optimistic(issue, {}, () =>
            api.issues.close({ ...args, force: command.force }, options),
          );
        case "delete":
          return api.issues.delete({ ...args, confirm: true }, options).then(() => {
            removeFromLists(issue.id);
          });
      }
    },
  });

export const usePausing = () => useRun({});
export const useEnding = () => useRun(showsFailure);

/** Sends work back: a comment that says what to change, then the status `Open`. */
export const useRequestChanges = (issue: Issue) => {
  const comment = useAddComment(issue.id);
  return useMutation({
    meta: showsFailure,
    mutationFn: async ({ content, key }: { readonly content: string; readonly key: string }) => {
      if (content !== "") await comment.mutateAsync({ content, key });
      const saved = await api.issues.update(
        { issueId: issue.id, status: "Open" },
        { ifMatch: issue.version },
      );
      put(saved);
    },
  });
};
