import { Result } from "effect";
import { Forbidden } from "../../access/AccessErrors.ts";
import type { Principal } from "../../access/Principal.ts";
import { NoRun, RunEnded } from "../../agents/AgentErrors.ts";
import { isLive, type RunOutcome, type RunRow } from "../../agents/Run.ts";
import type { Timestamp } from "../../Timestamp.ts";
import type { IssueStatus } from "../Issue.ts";
import { Held, Paused } from "../IssueErrors.ts";
import type { IssueFacts } from "../IssueStore.ts";
import type { AgentsMay } from "../Project.ts";

/**
 * The restrictions of agents on issues, as pure functions. The first rule that fits refuses:
 *
 * 1. A call that acts for a run changes issues only while the run is active and its lease lasts.
 * 2. A pause holds until a person ends it.
 * 3. People end reviews, unless `agentsMay` of the project is `approve`. Until a person comments, the agent
 *    that handed the issue in may take it back: it sets the issue to `Open`.
 * 4. A run protects its issue: a change acts for that run. A change of only the status that acts
 *   for no run counts as acting for the live run if the agent never had another run of the issue.
 * 5. Only a claim starts a run.
 *
 * Rules 2 to 5 apply only to agents' keys.
 */

/** The facts that the rules need about an issue. */
export type Facts = Pick<IssueFacts, "issue" | "liveRun">;

/** The last hand-in of an issue in review. */
export interface Review {
  readonly agentId: string;
  /** The run that handed it in; null for an agent without a run. */
  readonly runId: string | null;
  /** Whether a person has commented since. */
  readonly isCommented: boolean;
}

/** The actor of a change, with the facts that the rules need about it. */
export interface Actor extends Pick<Principal, "agentId"> {
  /** The run that the call acts for, as it is now; null for none. */
  readonly run: RunRow | null;
  readonly agentsMay: AgentsMay;
  /** Null unless the issue is in review. */
  readonly review: Review | null;
  /** Whether the live run is the only one that its agent ever had on the issue. */
  readonly isOnlyRun: boolean;
}

/** An update of what a run protects: status, agent or deferral. */
export interface Update {
  readonly kind: "update";
  readonly status: IssueStatus | undefined;
  readonly isStatusOnly: boolean;
}

/** The change that an agent intends. Other changes have no rules. */
export type Intent = Update | { readonly kind: "close" | "pause" | "resume" | "delete" };

/** A run that its agent finishes with an update of the status. */
export interface HandIn {
  readonly run: RunRow;
  readonly outcome: RunOutcome;
}

type Refusal = Forbidden | Paused | Held | RunEnded;

const outcomes: Partial<Record<IssueStatus, RunOutcome>> = {
  PendingReview: "review",
  Resolved: "resolved",
  Open: "released",
};

/** Why a run no longer changes issues; null while it may. */
const endOf = (run: RunRow, now: Timestamp): RunEnded | null => {
  const { id: runId, status, stopReason } = run;
  if (status !== "ended" && !isLive(run, now)) {
    return new RunEnded({ runId, reason: "leaseExpired" });
  }
  return status === "active" ? null : new RunEnded({ runId, reason: stopReason ?? "unknown" });
};

const endsReview = (intent: Intent): boolean =>
  intent.kind === "update"
    ? intent.status !== undefined && intent.status !== "PendingReview"
    : intent.kind === "close" || intent.kind === "delete";

/** Whether the agent takes back what it handed in. */
const takesBack = ({ agentId, review, run }: Actor, intent: Intent): boolean =>
  intent.kind === "update" &&
  intent.status === "Open" &&
  review !== null &&
  !review.isCommented &&
  review.agentId === agentId &&
  (run === null || run.id === review.runId);

const holds = ({ agentId, isOnlyRun, run }: Actor, liveRun: RunRow, intent: Intent): boolean =>
  run === null
    ? liveRun.agentId === agentId && isOnlyRun && intent.kind === "update" && intent.isStatusOnly
    : run.id === liveRun.id;

/** Fails if the agent may not change the issue like this. */
export const mayChange = (
  actor: Actor,
  { issue, liveRun }: Facts,
  intent: Intent,
  now: Timestamp,
): Result.Result<void, Refusal> => {
  const { agentId, agentsMay, run } = actor;
  const inReview = agentId !== null && issue.status === "PendingReview";
  const isTakenBack = inReview && takesBack(actor, intent);
  const ended = run === null || isTakenBack ? null : endOf(run, now);
  if (ended !== null) return Result.fail(ended);
  if (agentId === null) return Result.void;
  if (issue.pausedBecause !== null && intent.kind !== "pause") return Result.fail(new Paused());
  if (inReview && agentsMay !== "approve" && endsReview(intent) && !isTakenBack) {
    return Result.fail(new Forbidden({ requiredRole: null }));
  }
  return liveRun === null || holds(actor, liveRun, intent)
    ? Result.void
    : Result.fail(new Held({ runId: liveRun.id, agentId: liveRun.agentId }));
};

/** Fails if the agent may not make an issue in review wait for another one. */
export const mayBlock = (
  { agentId, agentsMay }: Pick<Actor, "agentId" | "agentsMay">,
  { status }: Facts["issue"],
): Result.Result<void, Forbidden> =>
  agentId !== null && status === "PendingReview" && agentsMay !== "approve"
    ? Result.fail(new Forbidden({ requiredRole: null }))
    : Result.void;

/** The outcome with which an agent's run ends: people resolve where `agentsMay` is `review`. */
export const outcomeIn = (agentsMay: AgentsMay, outcome: RunOutcome): RunOutcome =>
  agentsMay === "review" && outcome === "resolved" ? "review" : outcome;

/** Like `outcomeIn`, for a status that an agent's key sets. */
export const statusIn = (
  { agentId, agentsMay }: Actor,
  status: IssueStatus | undefined,
): IssueStatus | undefined =>
  agentId !== null && agentsMay === "review" && status === "Resolved" ? "PendingReview" : status;

/**
 * The hand-in that an update of the status makes if the agent's own run holds the issue; otherwise
 * null. Fails if the run was told to stop.
 */
export const handIn = (
  { agentId }: Actor,
  { liveRun: run }: Facts,
  status: IssueStatus | undefined,
): Result.Result<HandIn | null, NoRun | RunEnded> => {
  if (agentId === null || status === undefined) return Result.succeed(null);
  if (run === null) {
    return status === "InProgress" ? Result.fail(new NoRun({})) : Result.succeed(null);
  }
  const outcome = outcomes[status];
  if (outcome === undefined) return Result.succeed(null);
  return run.status === "active"
    ? Result.succeed({ run, outcome })
    : Result.fail(new RunEnded({ runId: run.id, reason: run.stopReason ?? "unknown" }));
};
