import { Result } from "effect";
import type { RunOutcome, RunRow, StopReason } from "../agents/Run.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { ActivityKind, StatusCause } from "./Activity.ts";
import { isOpen, type IssueRow, type IssueState, type IssueStatus } from "./Issue.ts";
import { Blocked, NotExecuting, NotPaused, OpenDependents } from "./IssueErrors.ts";
import type { DependentFacts, IssueFacts } from "./IssueStore.ts";
import type { Reason } from "./Readiness.ts";

/**
 * The rules of an issue's life, as pure functions from what is known of it and what is asked to
 * what changes, or to a refusal. Nothing else in the project knows a rule of status, pause or pick-up.
 */

/** An entry for the timeline. */
export interface Entry {
  readonly kind: ActivityKind;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What its dependents have to be told: that they no longer wait for it, or that they do again. */
export type Notice = "blockerResolved" | "blockerClosed" | "blockerDeleted" | "blockerReopened";

export interface Change<Row extends IssueState = IssueRow> {
  /** The issue as it is from now on. */
  readonly issue: Row;
  /** Nothing changed if there are none. */
  readonly entries: ReadonlyArray<Entry>;
  /** What the run that holds it is told, if there is one. */
  readonly stop: StopReason | null;
  readonly notice: Notice | null;
}

const unchanged = <Row extends IssueState>(issue: Row): Change<Row> => ({
  issue,
  entries: [],
  stop: null,
  notice: null,
});

/** One change after another. The first reason to stop stands, the last notice counts. */
const andThen = (first: Change, second: Change): Change => ({
  issue: second.issue,
  entries: [...first.entries, ...second.entries],
  stop: first.stop ?? second.stop,
  notice: second.notice ?? first.notice,
});

const noticeOf = (from: IssueStatus, to: IssueStatus): Notice | null => {
  if (isOpen(from) === isOpen(to)) return null;
  if (isOpen(to)) return "blockerReopened";
  return to === "Resolved" ? "blockerResolved" : "blockerClosed";
};

const stopOf = (from: IssueStatus, to: IssueStatus): StopReason | null => {
  if (from === to || to === "InProgress") return null;
  if (to === "Resolved") return "resolved";
  if (to === "Closed") return "closed";
  return to === "WaitingOnDependency" ? "blocked" : "statusChanged";
};

/** The fields of a new status, and the moments that go with it. */
const withStatus = <Row extends IssueState>(issue: Row, to: IssueStatus, now: Timestamp): Row =>
  issue.status === to
    ? issue
    : {
        ...issue,
        status: to,
        resumed: false,
        startedAt: issue.startedAt ?? (to === "InProgress" ? now : null),
        resolvedAt: to === "Resolved" ? now : isOpen(to) ? null : issue.resolvedAt,
        closedAt: to === "Closed" ? now : null,
      };

const touched = <Row extends IssueState>(issue: Row, now: Timestamp): Row => ({
  ...issue,
  version: issue.version + 1,
  updatedAt: now,
});

const statusEntry = (from: IssueStatus, to: IssueStatus, cause: StatusCause): Array<Entry> =>
  from === to ? [] : [{ kind: "statusChanged", data: { from, to, cause } }];

/** A move to another status, with `fields` that change with it. */
const move = <Row extends IssueState>(
  issue: Row,
  to: IssueStatus,
  cause: StatusCause,
  now: Timestamp,
  fields: Partial<Pick<IssueState, "paused">> = {},
  entries: ReadonlyArray<Entry> = [],
): Change<Row> => ({
  issue: touched({ ...withStatus(issue, to, now), ...fields }, now),
  entries: [...entries, ...statusEntry(issue.status, to, cause)],
  stop: stopOf(issue.status, to),
  notice: noticeOf(issue.status, to),
});

const blockedBy = (facts: IssueFacts) =>
  new Blocked({ blockers: facts.openBlockers.map((blocker) => blocker.id) });

/** What an update may set besides the status. */
export type Fields = Pick<
  IssueRow,
  "title" | "description" | "priority" | "assignedAgentId" | "assigneeUserId" | "goalId"
>;

const updateFields = (facts: IssueFacts, fields: Partial<Fields>, now: Timestamp): Change => {
  const { issue, liveRun } = facts;
  const names = (Object.keys(fields) as Array<keyof Fields>).filter(
    (name) => fields[name] !== issue[name],
  );
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

/**
 * An update of fields and, if given, of the status, as one change. `openDependents` are those that
 * forbid a close.
 */
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

/** A close. `openDependents` are those that forbid it: none, if it is forced. */
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
 * A BlockedBy link was made to a blocker of this status: the issue waits, and if that blocker is
 * done and no other is open, waits no more.
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

/** A BlockedBy link was removed. */
export const blockerUnlinked = (facts: IssueFacts, now: Timestamp): Change =>
  facts.issue.status === "WaitingOnDependency" && facts.openBlockers.length === 0
    ? move(facts.issue, "Open", "unlinked", now)
    : unchanged(facts.issue);

/** What a notice of its blocker does to a dependent. */
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

/**
 * Why an issue cannot be picked up; empty if it can. Readiness returns this. `IssueStore.claimable` is
 * the same rule as one atomic query in each storage, and the suite of that port compares the two.
 */
export const obstacles = (facts: IssueFacts): ReadonlyArray<Reason> => {
  const { issue, openBlockers, liveRun } = facts;
  const reasons: Array<Reason> = [];
  if (issue.status !== "Open" && issue.status !== "InProgress") {
    reasons.push({ code: "notOpen", detail: `The issue is ${issue.status}.` });
  }
  if (issue.paused) {
    reasons.push({ code: "paused", detail: "The issue is paused; resume it." });
  }
  if (openBlockers.length > 0) {
    reasons.push({ code: "blocked", detail: "A blocker of the issue is open; see its links." });
  }
  if (issue.assignedAgentId === null) {
    reasons.push({ code: "unassigned", detail: "No agent is assigned; set assignedAgentId." });
  }
  if (liveRun !== null) {
    reasons.push({ code: "running", detail: `The run ${liveRun.id} holds the issue.` });
  }
  return reasons;
};

/** A pick-up by the run, if nothing stands in its way. */
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

/** A run hands the issue in. */
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
