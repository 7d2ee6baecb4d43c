import type { InboxItem, Issue } from "@quartermaster/client";
import { issueFields } from "../issues/issueStore.ts";
import { saves } from "../issues/saves.ts";
import type { Data } from "../live/data.ts";

/** The kinds whose `since` is the last change of their issue. */
const byIssue: ReadonlySet<InboxItem["kind"]> = new Set([
  "review",
  "failed",
  "tooManyAttempts",
  "blockedChain",
]);

/** Finds the versions of issues that items of the inbox show. */
export const shownVersions = (data: Data) => {
  const { api, queries, store } = data;
  const { isOwn } = store(saves);
  const knownOf = (issueId: string) => queries.getQueryData(issueFields(data, issueId).queryKey);
  return {
    /** Returns the issue as the page shows it. */
    issueOf: async (issueId: string): Promise<Issue> =>
      knownOf(issueId) ?? api.issues.get({ issueId }),
    /** Returns the version of the item's issue, which a decision expects. Throws if the issue has changed since. */
    versionOf: async (item: InboxItem): Promise<number> => {
      const issueId = item.issueId ?? "";
      const isShown = (updatedAt: string) => !byIssue.has(item.kind) || updatedAt === item.since;
      const known = knownOf(issueId);
      if (known !== undefined && (isShown(known.updatedAt) || isOwn(issueId, known.version))) {
        return known.version;
      }
      // Not by the query: it is canceled when the item leaves the screen.
      const { updatedAt, version } = await api.issues.get({ issueId });
      if (isShown(updatedAt)) return version;
      throw new Error("The issue changed in the meantime. Check it and try again.");
    },
  };
};
