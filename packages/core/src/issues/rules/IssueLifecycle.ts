import { Equal, Result, Struct } from "effect";
import type { RunOutcome, RunRow } from "../../agents/Run.ts";
import type * as Timestamp from "../../Timestamp.ts";
import type { IssueRow, IssueStatus } from "../Issue.ts";
import { Blocked, NotExecuting, NotPaused, OpenDependents } from "../IssueErrors.ts";
import type { IssueFacts } from "../IssueStore.ts";
import { expired } from "./Attempts.ts";
import { andThen, type Change, type Entry, move, touched, unchanged } from "./Change.ts";
import { finish } from "./HandIn.ts";
import { obstacles } from "./Obstacles.ts";
import * as QuestionRules from "./QuestionRules.ts";

export type { Change, Entry, Notice } from "./Change.ts";
export { blockerChanged, blockerLinked, blockerUnlinked } from "./Blockers.ts";
export { returned } from "./Attempts.ts";
export { finish, type HandIn } from "./HandIn.ts";
export { obstacles, type Obstacle } from "./Obstacles.ts";

/**
 * The rules of an issue's life, as pure functions from facts and a command to a change or an error.
 *
 * - `Open`: ready. Unless it is paused, a heartbeat of its agent picks it up (`InProgress`).
 * - `InProgress`: a run holds it, or its agent picks it up next, after a delay if runs died or
 *   failed. A finish, a pause or the last attempt changes the status.
 * - `WaitingOnDependency`: a blocker is open. It becomes `Open` when its last open blocker is
 *   done.
 * - `PendingReview`: handed in. An update decides what follows.
 * - `Resolved`, `Closed`: done, and dependents are free. An update reopens it.
 *
 * Invariants: an issue with an open blocker waits or is done, unless the blocker was reopened while
 * the issue was not `Open` or a run held it. Only an `Open` or waiting issue can be paused, or an
 * issue in review when a question expires.
 */

const blockedBy = (facts: IssueFacts) =>
  new Blocked({ blockers: facts.openBlockers.map((blocker) => blocker.id) });

/** The fields that an update may set, without the status. */
export type Fields = Pick<
  IssueRow,
  | "title"
  | "description"
  | "priority"
  | "assignedAgentId"
  | "assigneeUserId"
  | "goalId"
  | "labels"
  | "metadata"
  | "externalRef"
>;

/** The changes of an update. A field whose member is undefined does not change. */
export interface Update {
  readonly fields: Partial<Fields>;
  readonly status?: IssueStatus | undefined;
  readonly notBefore?: Timestamp.Timestamp | null | undefined;
  /**
   * Whether a person makes the update. A status or an agent that a person sets resets the attempts.
   */
  readonly isByUser: boolean;
  /** Whether the issue moved to its project with this update. */
  readonly isMoved?: boolean;
  /** The run that the update of `status` finishes; null for none. */
  readonly handIn: {
    readonly run: Pick<RunRow, "id">;
    readonly outcome: RunOutcome;
    readonly questionIds: ReadonlyArray<string>;
  } | null;
}

const fresh = { attempts: 0, notBefore: null };

type Settable = Fields & Pick<IssueRow, "attempts" | "notBefore">;

/** Fields with long values: the timeline only records that they changed. */
const unquoted: ReadonlySet<keyof Settable> = new Set(["description", "metadata"]);

const updateFields = (
  facts: IssueFacts,
  fields: Partial<Settable>,
  isMoved: boolean,
  now: Timestamp.Timestamp,
): Change => {
  const { issue, liveRun } = facts;
  const names = Struct.keys(fields).filter((name) => !Equal.equals(fields[name], issue[name]));
  if (names.length === 0 && !isMoved) return unchanged(issue);
  const changes = {
    // A caller may see only one of the projects.
    ...(isMoved ? { projectId: null } : {}),
    ...Object.fromEntries(
      names.map((name) => [
        name,
        unquoted.has(name) ? null : { from: issue[name], to: fields[name] },
      ]),
    ),
  };
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
  now: Timestamp.Timestamp,
): Result.Result<Change, Blocked | OpenDependents> => {
  const { issue, openBlockers } = facts;
  if (issue.status === status) {
    return Result.succeed(
      issue.pausedBecause !== null
        ? move(issue, status, "update", now, { pausedBecause: null }, [unpaused])
        : unchanged(issue),
    );
  }
  if (status === "Closed") return close(facts, openDependents, now);
  if (status !== "Resolved" && openBlockers.length > 0 !== (status === "WaitingOnDependency")) {
    return Result.fail(blockedBy(facts));
  }
  const change = move(issue, status, "update", now, { pausedBecause: null });
  return Result.succeed(
    status === "WaitingOnDependency" ? { ...change, stop: "statusChanged" } : change,
  );
};

const unpaused: Entry = {
  kind: "updated",
  data: { changes: { paused: { from: true, to: false } } },
};

const defer = (issue: IssueRow, notBefore: Timestamp.Timestamp | null): Change =>
  issue.notBefore === notBefore
    ? unchanged(issue)
    : {
        ...unchanged({ ...issue, notBefore }),
        entries: [{ kind: "deferred", data: { notBefore } }],
      };

const handedIn = (
  facts: IssueFacts,
  { outcome, questionIds, run }: NonNullable<Update["handIn"]>,
  now: Timestamp.Timestamp,
): Change =>
  finish(
    facts,
    run,
    { outcome, retry: false, keepAttempts: questionIds.length > 0, retryAfterSeconds: null },
    0,
    now,
  );

/** Updates an issue. Open dependents forbid `Closed`. */
export const update = (
  facts: IssueFacts,
  { fields, handIn, isByUser, isMoved = false, notBefore, status }: Update,
  openDependents: ReadonlyArray<string>,
  now: Timestamp.Timestamp,
): Result.Result<Change, Blocked | OpenDependents> => {
  const isReset = isByUser && (status !== undefined || fields.assignedAgentId !== undefined);
  const kept = notBefore === undefined ? fresh : { attempts: 0 };
  const first = updateFields(facts, isReset ? { ...fields, ...kept } : fields, isMoved, now);
  const changed = { ...facts, issue: first.issue };
  const second =
    handIn !== null
      ? Result.succeed(handedIn(changed, handIn, now))
      : status === undefined
        ? Result.succeed(unchanged(first.issue))
        : updateStatus(changed, status, openDependents, now);
  return Result.map(second, (moved) => {
    const stop = handIn === null ? (moved.stop ?? first.stop) : null;
    const both = { ...andThen(first, moved), stop };
    const change = notBefore === undefined ? both : andThen(both, defer(both.issue, notBefore));
    return change.entries.length === 0
      ? unchanged(facts.issue)
      : { ...change, issue: touched({ ...change.issue, version: facts.issue.version }, now) };
  });
};

/** Closes an issue. `openDependents` forbid it; pass none to force the close. */
export const close = (
  facts: Pick<IssueFacts, "issue">,
  openDependents: ReadonlyArray<string>,
  now: Timestamp.Timestamp,
): Result.Result<Change, OpenDependents> => {
  if (facts.issue.status === "Closed") return Result.succeed(unchanged(facts.issue));
  if (openDependents.length > 0) {
    return Result.fail(new OpenDependents({ dependents: openDependents }));
  }
  return Result.succeed(move(facts.issue, "Closed", "close", now, { pausedBecause: null }));
};

/** Pauses an issue that is `InProgress`. */
export const pause = (
  { issue }: Pick<IssueFacts, "issue">,
  now: Timestamp.Timestamp,
): Result.Result<Change, NotExecuting> =>
  issue.status === "InProgress"
    ? Result.succeed({
        ...move(issue, "Open", "pause", now, { pausedBecause: "person" }, [
          { kind: "paused", data: {} },
        ]),
        stop: "paused",
      })
    : Result.fail(new NotExecuting({ issueStatus: issue.status }));

/** Resumes a paused issue: its agent picks it up before other issues. */
export const resume = (
  facts: IssueFacts,
  now: Timestamp.Timestamp,
): Result.Result<Change, NotPaused | Blocked> => {
  if (facts.issue.pausedBecause === null) {
    return Result.fail(new NotPaused({ issueStatus: facts.issue.status }));
  }
  if (facts.openBlockers.length > 0) return Result.fail(blockedBy(facts));
  const change = move(facts.issue, "InProgress", "resume", now, { ...fresh, pausedBecause: null }, [
    { kind: "resumed", data: {} },
  ]);
  return Result.succeed({ ...change, issue: { ...change.issue, resumed: true } });
};

/** Applies the end of a lease. The issue of a run that had to stop does not change. */
export const leaseExpired = (
  facts: Pick<IssueFacts, "issue" | "openBlockers">,
  run: Pick<RunRow, "id" | "status" | "leaseExpiresAt" | "releaseAt">,
  maxAttempts: number,
  now: Timestamp.Timestamp,
): Change => {
  const entry: Entry = { kind: "leaseExpired", data: { runId: run.id } };
  return run.status === "active"
    ? expired(facts, entry, run, maxAttempts, now)
    : { ...unchanged(facts.issue), entries: [entry] };
};

/** The facts after the end of an expired lease and the expiry of questions are recorded. */
export const recorded = (
  facts: IssueFacts,
  maxAttempts: number,
  now: Timestamp.Timestamp,
): IssueFacts => {
  if (facts.expiredRun === null) return QuestionRules.recorded(facts, now);
  const { issue } = leaseExpired(facts, facts.expiredRun, maxAttempts, now);
  return QuestionRules.recorded({ ...facts, issue, expiredRun: null }, now);
};

/** Picks the issue up for a run; null if there is an obstacle or another agent is assigned. */
export const pickUp = (
  facts: IssueFacts,
  run: Pick<RunRow, "id" | "agentId">,
  now: Timestamp.Timestamp,
): Change | null => {
  const { issue } = facts;
  if (obstacles(facts, now).length > 0 || issue.assignedAgentId !== run.agentId) return null;
  const entry: Entry = { kind: "pickedUp", data: { runId: run.id, agentId: run.agentId } };
  if (issue.status !== "InProgress") {
    return {
      ...move(issue, "InProgress", "pickedUp", now, { notBefore: null }, [entry]),
      stop: null,
    };
  }
  const next = { ...issue, resumed: false, notBefore: null };
  return {
    ...unchanged(issue.notBefore === null ? next : touched(next, now)),
    entries: [entry],
  };
};
