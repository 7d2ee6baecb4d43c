import type { BriefIssue, Status } from "./issues.ts";

const issues = (count: number) => (count === 1 ? "1 open issue" : `${count} open issues`);

/** The reason why an issue cannot move to a status; null if it can. Only a preview: the server decides. */
export const obstacle = (
  {
    blockedByCount,
    blocksCount,
    status,
  }: Pick<BriefIssue, "blockedByCount" | "blocksCount" | "status">,
  to: Status,
): string | null => {
  if (status === to) return "Already in this column";
  switch (to) {
    case "WaitingOnDependency":
      return blockedByCount === 0 ? "No open issue blocks this one" : null;
    case "Closed":
      return blocksCount > 0 ? `It blocks ${issues(blocksCount)}: resolve it instead` : null;
    case "Resolved":
      return null;
    case "Open":
    case "InProgress":
    case "PendingReview":
      return blockedByCount > 0 ? `${issues(blockedByCount)} must be done first` : null;
  }
};

/** The time at which the issue entered its status. */
export const sinceOf = (issue: BriefIssue): string => {
  switch (issue.status) {
    case "Resolved":
      return issue.resolvedAt ?? issue.updatedAt;
    case "Closed":
      return issue.closedAt ?? issue.updatedAt;
    case "InProgress":
      return issue.startedAt ?? issue.updatedAt;
    default:
      return issue.updatedAt;
  }
};
