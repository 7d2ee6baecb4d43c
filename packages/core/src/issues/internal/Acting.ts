import { Effect, Option } from "effect";
import type { Principal } from "../../access/Principal.ts";
import { CurrentRun } from "../../agents/CurrentRun.ts";
import { RunStore } from "../../agents/RunStore.ts";
import type { StorageError } from "../../CommonErrors.ts";
import type { ActivityRow } from "../Activity.ts";
import { ActivityStore } from "../ActivityStore.ts";
import { ProjectStore } from "../ProjectStore.ts";
import type * as AgentRules from "../rules/AgentRules.ts";

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
 * Inside the caller's transaction, reads the facts about the actor of a change that `AgentRules`
 * need.
 */
export const make = Effect.gen(function* () {
  const runs = yield* RunStore;
  const projects = yield* ProjectStore;
  const timeline = yield* ActivityStore;

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

  return Effect.fnUntraced(function* (
    { agentId }: Principal,
    { issue, liveRun }: AgentRules.Facts,
  ): Effect.fn.Return<AgentRules.Actor, StorageError> {
    const acting = yield* CurrentRun;
    const run = acting === null ? null : Option.getOrNull(yield* runs.get(acting.id));
    const isAgent = agentId !== null;
    return {
      agentId,
      run,
      agentsMay: isAgent ? yield* projects.agentsMay(issue.projectId) : "approve",
      review: isAgent && issue.status === "PendingReview" ? yield* latestReview(issue.id) : null,
      isOnlyRun: isAgent && run === null && liveRun !== null && !(yield* runs.hasOther(liveRun)),
    };
  });
});
