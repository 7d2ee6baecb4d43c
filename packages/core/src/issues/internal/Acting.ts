import { Effect } from "effect";
import type { Principal } from "../../access/Principal.ts";
import type { RunEnded } from "../../agents/AgentErrors.ts";
import { CurrentRun } from "../../agents/CurrentRun.ts";
import * as Fence from "../../agents/Fence.ts";
import type { RunRow } from "../../agents/Run.ts";
import { RunStore } from "../../agents/RunStore.ts";
import type { StorageError } from "../../CommonErrors.ts";
import type { ActivityRow } from "../Activity.ts";
import { ActivityStore } from "../ActivityStore.ts";
import { ProjectStore } from "../ProjectStore.ts";
import * as AgentRules from "../rules/AgentRules.ts";

/** The review that a timeline entry started; null for an entry of another kind. */
const reviewOf = ({
  actor,
  data,
  kind,
}: ActivityRow): Omit<AgentRules.Review, "isCommented"> | null => {
  const isFinish = kind === "finished" && data["outcome"] === "review";
  const isUpdate =
    kind === "statusChanged" && data["to"] === "PendingReview" && data["cause"] === "update";
  if (!isFinish && !isUpdate) return null;
  const { runId } = data;
  return {
    agentId: actor.type === "Agent" ? actor.id : "",
    runId: typeof runId === "string" ? runId : null,
  };
};

/**
 * Reads the facts about the actor of a change and judges the change, inside the caller's
 * transaction.
 */
export const make = Effect.gen(function* () {
  const runs = yield* RunStore;
  const projects = yield* ProjectStore;
  const timeline = yield* ActivityStore;
  const fence = yield* Fence.make;

  const latestReview = Effect.fnUntraced(function* (issueId: string) {
    let isCommented = false;
    let after: number | null = null;
    do {
      const entries: ReadonlyArray<ActivityRow> = yield* timeline.list(issueId, null, {
        limit: 100,
        order: "desc",
        after,
      });
      for (const entry of entries) {
        if (entry.kind === "commented" && entry.actor.type === "User") isCommented = true;
        const review = reviewOf(entry);
        if (review !== null) return { ...review, isCommented };
      }
      after = entries.at(-1)?.seq ?? null;
    } while (after !== null);
    return null;
  });

  /** Only what `AgentRules` need. */
  const actorOf = Effect.fnUntraced(function* (
    { agentId }: Principal,
    { issue, liveRun }: AgentRules.Facts,
  ): Effect.fn.Return<AgentRules.Actor, StorageError> {
    const runId = (yield* CurrentRun)?.id ?? null;
    const isAgent = agentId !== null;
    return {
      agentId,
      runId,
      agentsMay: isAgent ? yield* projects.agentsMay(issue.projectId) : "approve",
      review: isAgent && issue.status === "PendingReview" ? yield* latestReview(issue.id) : null,
      isOnlyRun: isAgent && runId === null && liveRun !== null && !(yield* runs.hasOther(liveRun)),
    };
  });

  /** Fails if the run that the call acts for may change nothing, unless its agent takes a review back. */
  const fenced = (
    principal: Principal,
    facts: AgentRules.Facts,
    intent: AgentRules.Intent | null,
  ): Effect.Effect<void, RunEnded | StorageError> =>
    Effect.catchTag(Effect.asVoid(fence("writes")), "RunEnded", (ended) =>
      intent !== null && AgentRules.isReturn(intent)
        ? Effect.flatMap(actorOf(principal, facts), (actor) =>
            AgentRules.takesBack(actor, intent) ? Effect.void : Effect.fail(ended),
          )
        : Effect.fail(ended),
    );

  /** Fails if the principal acts as an agent that may not change the issue like this. */
  const permit = Effect.fnUntraced(function* (
    principal: Principal,
    facts: AgentRules.Facts,
    intent: AgentRules.Intent,
  ) {
    const actor = yield* actorOf(principal, facts);
    yield* Effect.fromResult(AgentRules.mayChange(actor, facts, intent));
    return actor;
  });

  /** Fails if the run may not hand its issue in, whether or not the call names it. */
  const mayHandIn = ({ agentId, id }: RunRow) =>
    Effect.provideService(fence("writes"), CurrentRun, { id, agentId });

  return { fence, fenced, permit, mayHandIn };
});
