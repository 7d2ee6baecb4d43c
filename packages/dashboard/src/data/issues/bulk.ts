import type { BriefIssue, IssueUpdate } from "@quartermaster/client";
import { useMutation } from "@tanstack/react-query";
import { api } from "../live/client.ts";
import { showsFailure } from "../live/query.ts";
import { optimistic } from "./issues.ts";

/** Changes several issues, each on its own. Rejects with the first refusal, after all have an answer. */
export const useChangeIssues = () =>
  useMutation({
    meta: showsFailure,
    mutationFn: async ({
      changeOf,
      issues,
    }: {
      readonly issues: ReadonlyArray<BriefIssue>;
      /** What changes in an issue; null for nothing. */
      readonly changeOf: (issue: BriefIssue) => (IssueUpdate & Partial<BriefIssue>) | null;
    }) => {
      const results = await Promise.allSettled(
        issues.map(async (issue) => {
          const change = changeOf(issue);
          if (change === null) return;
          await optimistic(issue, change, () =>
            api.issues.update({ issueId: issue.id, ...change }, { ifMatch: issue.version }),
          );
        }),
      );
      const refused = results.find(({ status }) => status === "rejected");
      if (refused?.status === "rejected") throw refused.reason;
    },
  });
