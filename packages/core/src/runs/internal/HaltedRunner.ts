import { Effect, Option } from "effect";
import * as Principal from "../../access/Principal.ts";
import type { Actor } from "../../Actor.ts";
import { AgentStore } from "../../agents/AgentStore.ts";
import type { RunRow } from "../../agents/Run.ts";
import { RunStore } from "../../agents/RunStore.ts";
import type { StorageError } from "../../CommonErrors.ts";
import { EventLog } from "../../events/EventLog.ts";
import type { ActivityRow } from "../../issues/Activity.ts";
import { ActivityStore } from "../../issues/ActivityStore.ts";
import { IssueStore } from "../../issues/IssueStore.ts";
import * as IssueLifecycle from "../../issues/rules/IssueLifecycle.ts";
import { Transitions } from "../../issues/Transitions.ts";
import type * as Timestamp from "../../Timestamp.ts";
import type { Halted } from "../Heartbeat.ts";

/** Whether the run cost its issue an attempt. */
const costAttempt = ({ outcome, status, stopReason }: RunRow): boolean =>
  status === "ended" &&
  (outcome === "failed" || (outcome === null && stopReason === "leaseExpired"));

/**
 * A person changed the issue, or the run's attempt was already returned. A comment has no effect.
 */
const isSettled = ({ actor, data, kind }: ActivityRow, runId: string): boolean =>
  (actor.type === "User" && !kind.startsWith("comment")) ||
  (data["cause"] === "runnerHalted" && data["runId"] === runId);

/** Stores the reports of heartbeats about a halted runner, inside the caller's transaction. */
export const make = Effect.gen(function* () {
  const agents = yield* AgentStore;
  const runs = yield* RunStore;
  const issues = yield* IssueStore;
  const timeline = yield* ActivityStore;
  const transitions = yield* Transitions;
  const events = yield* EventLog;

  /** Whether the timeline has an entry since the end of the run after which its attempt stays. */
  const isKept = Effect.fnUntraced(function* ({ endedAt, id, issueId }: RunRow) {
    let after: number | null = null;
    for (;;) {
      const entries: ReadonlyArray<ActivityRow> = yield* timeline.list(issueId, null, {
        limit: 100,
        order: "desc",
        after,
      });
      const later = entries.filter(({ createdAt }) => endedAt === null || createdAt >= endedAt);
      if (later.some((entry) => isSettled(entry, id))) return true;
      if (later.length < 100) return false;
      after = later.at(-1)?.seq ?? null;
    }
  });

  const giveBack = Effect.fnUntraced(function* (
    runId: string,
    actor: Actor,
    now: Timestamp.Timestamp,
  ) {
    const principal = yield* Principal.CurrentPrincipal;
    const run = Option.getOrNull(yield* runs.get(runId));
    if (run?.agentId !== actor.id || !Principal.sees(principal, run.projectId)) return;
    const facts = Option.getOrNull(yield* issues.facts(run.issueId, now));
    if (facts === null || !costAttempt(run) || facts.issue.attempts === 0 || (yield* isKept(run))) {
      return;
    }
    yield* transitions.apply(facts, IssueLifecycle.returned(facts, runId, now), actor);
  });

  const changed = (agentId: string, actor: Actor, note: string | null) =>
    events.record([
      {
        kind: "agent.updated",
        projectId: null,
        relatedProjectId: null,
        subjectId: agentId,
        actor,
        data: { changes: { note: { to: note } } },
      },
    ]);

  /** `wasHalted`: whether the previous heartbeat reported a halt. */
  return Effect.fnUntraced(function* (
    agentId: string,
    halted: Halted | null,
    wasHalted: boolean,
    now: Timestamp.Timestamp,
  ): Effect.fn.Return<void, StorageError, Principal.CurrentPrincipal> {
    if (halted === null && !wasHalted) return;
    const actor: Actor = { type: "Agent", id: agentId };
    for (const runId of new Set(halted?.runs)) yield* giveBack(runId, actor, now);
    const previous = wasHalted ? Option.getOrNull(yield* agents.get(agentId))?.halted : null;
    if (halted === null) {
      yield* agents.halt(agentId, null);
      return yield* changed(agentId, actor, null);
    }
    const { reason, until = null } = halted;
    yield* agents.halt(agentId, { reason, until, since: previous?.since ?? now, at: now });
    if (previous?.reason !== reason) yield* changed(agentId, actor, reason);
  });
});
