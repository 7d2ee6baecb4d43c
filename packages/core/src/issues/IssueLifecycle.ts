import { Result, Struct } from "effect";
import type { RunOutcome, RunRow } from "../agents/Run.ts";
import type { Timestamp } from "../Timestamp.ts";
import {
  andThen,
  type Change,
  type Entry,
  move,
  type Notice,
  touched,
  unchanged,
} from "./internal/Change.ts";
import { isOpen, type IssueRow, type IssueState, type IssueStatus } from "./Issue.ts";
import { Blocked, NotExecuting, NotPaused, OpenDependents } from "./IssueErrors.ts";
import type { DependentFacts, IssueFacts } from "./IssueStore.ts";
import type { Reason } from "./Readiness.ts";

export type { Change, Entry, Notice } from "./internal/Change.ts";

/**
 * The rules of an issue's life, as pure functions from facts and a command to a change or an error.
 *
 * - `Open`: ready. Unless it is paused, a heartbeat of its agent picks it up (`InProgress`).
 * - `InProgress`: a run holds it, or its agent picks it up next. A finish or a pause moves it on.
 * - `WaitingOnDependency`: a blocker is open. It becomes `Open` without its last open blocker.
 * - `PendingReview`: handed in. An update decides what follows.
 * - `Resolved`, `Closed`: done, and dependents are free. An update reopens it.
 *
 * Invariants: an issue with an open blocker waits or is done, unless the blocker was reopened while
 * the issue was not `Open` or a run held it. Only an `Open` or waiting issue is paused.
 */

const blockedBy = (facts: IssueFacts) =>
  new Blocked({ blockers: facts.openBlockers.map((blocker) => blocker.id) });

/** The fields that an update may set, without the status. */
export type Fields = Pick<
  IssueRow,
  "title" | "description" | "priority" | "assignedAgentId" | "assigneeUserId" | "goalId"
>;

const updateFields = (facts: IssueFacts, fields: Partial<Fields>, now: Timestamp): Change => {
  const { issue, liveRun } = facts;
  const names = Struct.keys(fields).filter((name) => fields[name] !== issue[name]);
  if (names.length === 0) return unchanged(issue);
  const changes = Object.fromEntries(
    names.map((name) => [
      name,
      name === "description" ? null : { from: issue[name], to: fields[name] },
    ]),
  );
  const next = { ...issue, ...fields };
  return {
    issue: touched(next, now),
    entries: [{ kind: "updated", data: { changes } }],
    stop: liveRun !== null && liveRun.agentId !== next.assignedAgentId ? "reassigned" : null,
    notice: null,
  };
};

const updateStatus = (
  facts: IssueFacts,
  status: IssueStatus,
  openDependents: ReadonlyArray<string>,
  now: Timestamp,
): Result.Result<Change, Blocked | OpenDependents> => {
  const { issue, openBlockers } = facts;
  if (issue.status === status) {
    return Result.succeed(
      issue.paused
        ? move(issue, status, "update", now, { paused: false }, [unpaused])
        : unchanged(issue),
    );
  }
  if (status === "Closed") return close(facts, openDependents, now);
  if (status !== "Resolved" && openBlockers.length > 0 !== (status === "WaitingOnDependency")) {
    return Result.fail(blockedBy(facts));
  }
  const change = move(issue, status, "update", now, { paused: false });
  return Result.succeed(
    status === "WaitingOnDependency" ? { ...change, stop: "statusChanged" } : change,
  );
};

const unpaused: Entry = {
  kind: "updated",
  data: { changes: { paused: { from: true, to: false } } },
};

/** Updates fields and, if given, the status, as one change. `openDependents` forbid `Closed`. */
export const update = (
  facts: IssueFacts,
  fields: Partial<Fields>,
  status: IssueStatus | undefined,
  openDependents: ReadonlyArray<string>,
  now: Timestamp,
): Result.Result<Change, Blocked | OpenDependents> => {
  const first = updateFields(facts, fields, now);
  if (status === undefined) return Result.succeed(first);
  return Result.map(
    updateStatus({ ...facts, issue: first.issue }, status, openDependents, now),
    (second) => {
      const change = andThen(first, second);
      const version = facts.issue.version + (change.entries.length > 0 ? 1 : 0);
      return {
        ...change,
        issue: { ...change.issue, version },
        stop: second.stop ?? first.stop,
      };
    },
  );
};

/** Closes an issue. `openDependents` forbid it; pass none to force the close. */
export const close = (
  facts: Pick<IssueFacts, "issue">,
  openDependents: ReadonlyArray<string>,
  now: Timestamp,
): Result.Result<Change, OpenDependents> => {
  if (facts.issue.status === "Closed") return Result.succeed(unchanged(facts.issue));
  if (openDependents.length > 0) {
    return Result.fail(new OpenDependents({ dependents: openDependents }));
  }
  return Result.succeed(move(facts.issue, "Closed", "close", now, { paused: false }));
};

/** Pauses an issue that is `InProgress`. */
export const pause = (
  { issue }: Pick<IssueFacts, "issue">,
  now: Timestamp,
): Result.Result<Change, NotExecuting> =>
  issue.status === "InProgress"
    ? Result.succeed({
        ...move(issue, "Open", "pause", now, { paused: true }, [{ kind: "paused", data: {} }]),
        stop: "paused",
      })
    : Result.fail(new NotExecuting({ issueStatus: issue.status }));

/** Resumes a paused issue: its agent picks it up before other issues. */
export const resume = (
  facts: IssueFacts,
  now: Timestamp,
): Result.Result<Change, NotPaused | Blocked> => {
  if (!facts.issue.paused) {
    return Result.fail(new NotPaused({ issueStatus: facts.issue.status }));
  }
  if (facts.openBlockers.length > 0) return Result.fail(blockedBy(facts));
  const change = move(facts.issue, "InProgress", "resume", now, { paused: false }, [
    { kind: "resumed", data: {} },
  ]);
  return Result.succeed({ ...change, issue: { ...change.issue, resumed: true } });
};

/**
 * Applies a new link to a blocker of this status: the issue waits, and becomes `Open` immediately if
 * the blocker is done and no other one is open.
 */
export const blockerLinked = (facts: IssueFacts, blocker: IssueStatus, now: Timestamp): Change => {
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
export const blockerUnlinked = (facts: IssueFacts, now: Timestamp): Change =>
  facts.issue.status === "WaitingOnDependency" && facts.openBlockers.length === 0
    ? move(facts.issue, "Open", "unlinked", now)
    : unchanged(facts.issue);

/** Applies a blocker's notice to a dependent. */
export const blockerChanged = (
  facts: DependentFacts,
  notice: Notice,
  now: Timestamp,
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

/** A reason of readiness that forbids the claim. */
export type Obstacle = Pick<Reason, "code" | "detail">;

/**
 * Why an issue cannot be picked up; empty if it can. Readiness returns this. `IssueStore.claimable` is
 * the same rule as one atomic query in each storage, and the suite of that port compares the two.
 */
export const obstacles = (facts: IssueFacts): ReadonlyArray<Obstacle> => {
  const { issue, openBlockers, liveRun } = facts;
  const reasons: Array<Obstacle> = [];
  if (issue.status !== "Open" && issue.status !== "InProgress") {
    reasons.push({ code: "notOpen", detail: `The issue is ${issue.status}.` });
  }
  if (issue.paused) {
    reasons.push({ code: "paused", detail: "The issue is paused; resume it." });
  }
  if (openBlockers.length > 0) {
    reasons.push({ code: "blocked", detail: "A blocker of the issue is open." });
  }
  if (issue.assignedAgentId === null) {
    reasons.push({ code: "unassigned", detail: "No agent is assigned; set assignedAgentId." });
  }
  if (liveRun !== null) {
    reasons.push({
      code: "running",
      detail: `The run ${liveRun.id} of the agent ${liveRun.agentId} holds the issue until ${liveRun.leaseExpiresAt}.`,
    });
  }
  return reasons;
};

/** Picks the issue up for a run; null if there is an obstacle or another agent is assigned. */
export const pickUp = (
  facts: IssueFacts,
  run: Pick<RunRow, "id" | "agentId">,
  now: Timestamp,
): Change | null => {
  const { issue } = facts;
  if (obstacles(facts).length > 0 || issue.assignedAgentId !== run.agentId) return null;
  const entry: Entry = { kind: "pickedUp", data: { runId: run.id, agentId: run.agentId } };
  return issue.status === "InProgress"
    ? { ...unchanged({ ...issue, resumed: false }), entries: [entry] }
    : { ...move(issue, "InProgress", "pickedUp", now, {}, [entry]), stop: null };
};

/** Hands the issue in. `failed` also pauses it. */
export const finish = (
  facts: IssueFacts,
  run: Pick<RunRow, "id">,
  outcome: RunOutcome,
  now: Timestamp,
): Change => {
  const free = facts.openBlockers.length > 0 ? "WaitingOnDependency" : "Open";
  const to = {
    resolved: "Resolved",
    review: "PendingReview",
    released: free,
    failed: free,
  } as const;
  const fields = outcome === "failed" ? { paused: true } : {};
  const entry: Entry = { kind: "finished", data: { runId: run.id, outcome } };
  return { ...move(facts.issue, to[outcome], "finished", now, fields, [entry]), stop: null };
};
