import { Result } from "effect";
import { Forbidden } from "../../access/AccessErrors.ts";
import type { Principal } from "../../access/Principal.ts";
import { NoRun } from "../../agents/AgentErrors.ts";
import type { RunOutcome, RunRow } from "../../agents/Run.ts";
import type { Timestamp } from "../../Timestamp.ts";
import type { IssueStatus } from "../Issue.ts";
import { Held, Paused } from "../IssueErrors.ts";
import type { IssueFacts } from "../IssueStore.ts";
import type { AgentsMay } from "../Project.ts";
import { isAwaited } from "../QuestionTime.ts";

/**
 * The restrictions of agents on issues, as pure functions. The first rule that fits refuses:
 *
 * 1. A pause holds until a person ends it.
 * 2. People end reviews, unless `agentsMay` of the project is `approve`. Until a person comments, the agent
 *    that handed the issue in may take it back: it sets the issue to `Open`.
 * 3. A run protects its issue: a change acts for that run. A change of only the status that acts
 *   for no run counts as acting for the live run if the agent never had another run of the issue.
 * 4. Only a claim starts a run.
 *
 * They apply only to agents' keys. `Fence` decides what a call that acts for a run may still do.
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
  /** The run that the call acts for; null for none. */
  readonly runId: string | null;
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

/** The outcome with which the hand-in of a run is carried out. */
export interface CarriedOut {
  readonly outcome: RunOutcome;
  /** The open questions that turn the hand-in into a release; none otherwise. */
  readonly questionIds: ReadonlyArray<string>;
}

/** A run that its agent finishes with an update of the status. */
export interface HandIn extends CarriedOut {
  readonly run: RunRow;
}

type Refusal = Forbidden | Paused | Held;

const outcomes: Partial<Record<IssueStatus, RunOutcome>> = {
  PendingReview: "review",
  Resolved: "resolved",
  Open: "released",
};

const endsReview = (intent: Intent): boolean =>
  intent.kind === "update"
    ? intent.status !== undefined && intent.status !== "PendingReview"
    : intent.kind === "close" || intent.kind === "delete";

/** Whether the change is the one by which an agent takes back what it handed in. */
export const isReturn = (intent: Intent): boolean =>
  intent.kind === "update" && intent.status === "Open";

/** Whether the agent takes back the issue that it handed in, even after its run. */
export const takesBack = ({ agentId, review, runId }: Actor, intent: Intent): boolean =>
  isReturn(intent) &&
  agentId !== null &&
  review !== null &&
  !review.isCommented &&
  review.agentId === agentId &&
  (runId === null || runId === review.runId);

const holds = ({ agentId, isOnlyRun, runId }: Actor, liveRun: RunRow, intent: Intent): boolean =>
  runId === null
    ? liveRun.agentId === agentId && isOnlyRun && intent.kind === "update" && intent.isStatusOnly
    : runId === liveRun.id;

const endedByPeople = () =>
  new Forbidden({
    requiredRole: null,
    explanation:
      "The issue is in review, and people end reviews. Comment on it, and leave its status to them.",
  });

/** Fails if the agent may not change the issue like this. */
export const mayChange = (
  actor: Actor,
  { issue, liveRun }: Facts,
  intent: Intent,
): Result.Result<void, Refusal> => {
  const { agentId, agentsMay } = actor;
  if (agentId === null) return Result.void;
  if (issue.pausedBecause !== null && intent.kind !== "pause") return Result.fail(new Paused());
  const isProtected = issue.status === "PendingReview" && agentsMay !== "approve";
  if (isProtected && endsReview(intent) && !takesBack(actor, intent)) {
    return Result.fail(endedByPeople());
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
    ? Result.fail(endedByPeople())
    : Result.void;

/**
 * Decides the outcome of a hand-in with the outcome `asked`. Work is not done while a blocking question of its run is
 * open: `review` and `resolved` become `released`. Only people resolve if `agentsMay` is `review`.
 */
export const carriedOut = (
  asked: RunOutcome,
  run: Pick<RunRow, "id">,
  { openQuestions }: Pick<IssueFacts, "openQuestions">,
  agentsMay: AgentsMay,
  now: Timestamp,
): CarriedOut => {
  const isDone = asked === "review" || asked === "resolved";
  const questionIds = openQuestions
    .filter((question) => isDone && question.runId === run.id && isAwaited(question, now))
    .map(({ id }) => id);
  if (questionIds.length > 0) return { outcome: "released", questionIds };
  return {
    outcome: agentsMay === "review" && asked === "resolved" ? "review" : asked,
    questionIds,
  };
};

/** The status that is stored for the status that an agent's key sets. */
export const statusIn = (
  { agentId, agentsMay }: Actor,
  status: IssueStatus | undefined,
): IssueStatus | undefined =>
  agentId !== null && agentsMay === "review" && status === "Resolved" ? "PendingReview" : status;

/**
 * If the agent's own run holds the issue, the hand-in that results from an update of the status;
 * otherwise null.
 */
export const handIn = (
  { agentId, agentsMay }: Actor,
  facts: Pick<IssueFacts, "liveRun" | "openQuestions">,
  status: IssueStatus | undefined,
  now: Timestamp,
): Result.Result<HandIn | null, NoRun> => {
  const { liveRun: run } = facts;
  if (agentId === null || status === undefined) return Result.succeed(null);
  if (run === null) {
    return status === "InProgress" ? Result.fail(new NoRun({})) : Result.succeed(null);
  }
  const asked = outcomes[status];
  return Result.succeed(
    asked === undefined ? null : { run, ...carriedOut(asked, run, facts, agentsMay, now) },
  );
};
