import { Result } from "effect";
import type { Principal } from "../../access/Principal.ts";
import { NoRun, RunEnded } from "../../agents/AgentErrors.ts";
import type { RunOutcome, RunRow } from "../../agents/Run.ts";
import type { Timestamp } from "../../Timestamp.ts";
import type { IssueStatus } from "../Issue.ts";
import { Held, Paused } from "../IssueErrors.ts";
import type { IssueFacts } from "../IssueStore.ts";

/**
 * The restrictions of agents on issues, as pure functions. A pause holds until a person ends it, a
 * run protects its issue from other agents, and only a claim starts a run. Other principals have no
 * such restrictions.
 */

type Facts = Pick<IssueFacts, "issue" | "liveRun">;
type Actor = Pick<Principal, "agentId">;

/** Fails if a live run of another agent holds the issue. */
export const notHeld = ({ agentId }: Actor, { liveRun }: Facts): Result.Result<void, Held> =>
  agentId === null || liveRun === null || liveRun.agentId === agentId
    ? Result.void
    : Result.fail(new Held({ runId: liveRun.id, agentId: liveRun.agentId }));

/** Fails if a live run of another agent holds the issue, or if the issue is paused. */
export const mayChange = (actor: Actor, facts: Facts): Result.Result<void, Paused | Held> =>
  actor.agentId !== null && facts.issue.pausedBecause !== null
    ? Result.fail(new Paused())
    : notHeld(actor, facts);

/** A run that its agent finishes with an update of the status. */
export interface HandIn {
  readonly run: RunRow;
  readonly outcome: RunOutcome;
}

const outcomes: Partial<Record<IssueStatus, RunOutcome>> = {
  PendingReview: "review",
  Resolved: "resolved",
  Open: "released",
};

/**
 * Fails if the agent may not set this status. Returns the hand-in that the status means if the
 * agent's own run holds the issue, otherwise null. Undefined for an update of other fields.
 */
export const mayMove = (
  actor: Actor,
  facts: Facts,
  status: IssueStatus | undefined,
): Result.Result<HandIn | null, Paused | Held | NoRun | RunEnded> => {
  const allowed = mayChange(actor, facts);
  if (Result.isFailure(allowed)) return Result.fail(allowed.failure);
  if (actor.agentId === null || status === undefined) return Result.succeed(null);
  const { liveRun: run } = facts;
  if (run === null) {
    return status === "InProgress" ? Result.fail(new NoRun()) : Result.succeed(null);
  }
  const outcome = outcomes[status];
  if (outcome === undefined) return Result.succeed(null);
  return run.status === "active"
    ? Result.succeed({ run, outcome })
    : Result.fail(new RunEnded({ reason: run.stopReason ?? "unknown" }));
};

/** The run after its hand-in. */
export const ended = ({ outcome, run }: HandIn, now: Timestamp): RunRow => ({
  ...run,
  outcome,
  status: "ended",
  stopReason: outcome === "resolved" ? "resolved" : "statusChanged",
  endedAt: now,
  worker: null,
});
