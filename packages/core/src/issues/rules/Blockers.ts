import type * as Timestamp from "../../Timestamp.ts";
import { isOpen, type IssueState, type IssueStatus } from "../Issue.ts";
import type { DependentFacts, IssueFacts } from "../IssueStore.ts";
import { andThen, type Change, move, type Notice, unchanged } from "./Change.ts";

/**
 * Applies a new link to a blocker with this status: the issue waits, or becomes `Open` immediately
 * if the blocker is done and no other one is open.
 */
export const blockerLinked = (
  facts: IssueFacts,
  blocker: IssueStatus,
  now: Timestamp.Timestamp,
): Change => {
  const { issue } = facts;
  const waits =
    issue.status === "WaitingOnDependency"
      ? unchanged(issue)
      : move(issue, "WaitingOnDependency", "linked", now);
  if (isOpen(blocker) || facts.openBlockers.length > 0) return waits;
  const cause = blocker === "Resolved" ? "blockerResolved" : "blockerClosed";
  return { ...andThen(waits, move(waits.issue, "Open", cause, now)), stop: waits.stop };
};

/** Applies the removal of a link to a blocker. */
export const blockerUnlinked = (facts: IssueFacts, now: Timestamp.Timestamp): Change =>
  facts.issue.status === "WaitingOnDependency" && facts.openBlockers.length === 0
    ? move(facts.issue, "Open", "unlinked", now)
    : unchanged(facts.issue);

/** Applies a blocker's notice to a dependent. */
export const blockerChanged = (
  facts: DependentFacts,
  notice: Notice,
  now: Timestamp.Timestamp,
): Change<IssueState> => {
  const { issue } = facts;
  if (notice === "blockerReopened") {
    return issue.status === "Open" && !facts.live
      ? move(issue, "WaitingOnDependency", notice, now)
      : unchanged(issue);
  }
  return issue.status === "WaitingOnDependency" && !facts.otherOpenBlocker
    ? move(issue, "Open", notice, now)
    : unchanged(issue);
};
