import { Clock, Context, Effect, Latch, Layer, Option } from "effect";
import type { RunEnded } from "../../../agents/AgentErrors.ts";
import { AgentStore } from "../../../agents/AgentStore.ts";
import { CurrentRun } from "../../../agents/CurrentRun.ts";
import * as Fence from "../../../agents/Fence.ts";
import { isLive, reasonInWords, type RunRow } from "../../../agents/Run.ts";
import { RunStore } from "../../../agents/RunStore.ts";
import type { StorageError } from "../../../CommonErrors.ts";
import { EffectStore } from "../../../effects/EffectStore.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import { ToolUnavailable } from "../../McpErrors.ts";
import type { AdmittedCall } from "../../ToolCall.ts";
import { ToolCallStore } from "../../ToolCallStore.ts";
import type { StartedCall } from "./CallRecords.ts";
import * as CallRecords from "./CallRecords.ts";
import { EffectCalls, type EffectHeld } from "./EffectCalls.ts";

/**
 * Admission: the last step before the first byte of a call. One transaction asks the fence, renews the
 * lease of the run, and stores the call as admitted. It is relaxed: every node sees the call before the
 * server does, and no call waits for the disk.
 *
 * While this node holds an admitted call, it extends the call and the lease of its run every 10 seconds,
 * or every third of a shorter lease. It cancels the call before `until` passes if it cannot, and if the run
 * lost its lease while it was active. A stop does not end the calls of its run.
 */

/** How far ahead `until` is, in seconds. */
const aheadSeconds = 30;
/** The longest time between two extensions, in seconds. */
const everySeconds = 10;
/** The time before `until` at which a call that cannot be extended is cancelled, in milliseconds. */
const marginMillis = 3_000;
/** An admission is repeated if no byte was sent for this time, in milliseconds. */
const staleMillis = 5_000;

interface Held {
  readonly call: StartedCall;
  readonly run: RunRow | null;
  /** Whether the run was active when this node last read it. */
  isActive: boolean;
  /** In milliseconds since the epoch. */
  until: number;
  dueAt: number;
}

const intervalMillis = (run: RunRow | null): number =>
  Math.min(everySeconds, (run?.leaseSeconds ?? Infinity) / 3) * 1_000;

/** The run with its lease renewed at `now`; null if the renewal would be too small to store. */
const renewed = (run: RunRow, now: Timestamp.Timestamp): RunRow | null => {
  const leaseExpiresAt = Timestamp.addSeconds(now, run.leaseSeconds);
  const left = Timestamp.secondsBetween(run.leaseExpiresAt, leaseExpiresAt);
  return left * 1_000 < intervalMillis(run) / 2 ? null : { ...run, leaseExpiresAt };
};

const refusal = ({ reason, runId }: Pick<RunEnded, "reason" | "runId">) =>
  new ToolUnavailable({
    reason: "runEnded",
    explanation: `The run ${runId} may not call tools: ${reasonInWords[reason]}.`,
    run: { runId, reason },
  });

const noRun = new ToolUnavailable({
  reason: "noRun",
  explanation: "The agent may call tools only for a live run, and the call acts for none.",
});

const effectWithoutRun = new ToolUnavailable({
  reason: "noRun",
  explanation: "The tool's calls happen once per issue, and the call acts for no live run.",
  advice:
    "Calls of this tool happen once per issue: they need a live run. Pick up its issue first.",
});

const agentPaused = (agentId: string) =>
  new ToolUnavailable({ reason: "agentPaused", explanation: `The agent ${agentId} is paused.` });

const notExtended = new ToolUnavailable({
  reason: "crashed",
  explanation: "The service could not store that the call was still in flight, and cancelled it.",
});

/** The run as the request read it, if it was live then; null without a request that read it. */
const actingAsRead = Effect.gen(function* () {
  const run = yield* CurrentRun;
  const isActive = run !== null && "status" in run && run.status === "active";
  return isActive && isLive(run, yield* Timestamp.now) ? { run, state: "live" as const } : null;
});

/** Extends calls in flight and the leases of their runs, inside one transaction. */
const makeExtension = Effect.gen(function* () {
  const store = yield* ToolCallStore;
  const effects = yield* EffectStore;
  const runs = yield* RunStore;

  /** Renews the run if it is active, and returns its state. */
  const renew = Effect.fnUntraced(function* (runId: string, now: Timestamp.Timestamp) {
    const run = Option.getOrNull(yield* runs.get(runId));
    if (run === null) return "over" as const;
    if (!isLive(run, now)) {
      const isLost = run.status !== "ended" || run.stopReason === "leaseExpired";
      return isLost ? ("lost" as const) : ("over" as const);
    }
    if (run.status !== "active") return "over" as const;
    const renewal = renewed(run, now);
    if (renewal !== null) yield* runs.update([renewal]);
    return "active" as const;
  });

  const extension = Effect.fnUntraced(function* (due: ReadonlyArray<Held>) {
    const now = yield* Timestamp.now;
    const ids = due.map(({ call }) => call.id);
    const until = Timestamp.addSeconds(now, aheadSeconds);
    const extended = yield* store.extend(ids, until);
    const effectIds = due.flatMap(({ call }) => (call.effect === null ? [] : [call.id]));
    if (effectIds.length > 0) yield* effects.extend(effectIds, until);
    const runIds = new Set(due.flatMap(({ run }) => (run === null ? [] : [run.id])));
    const states = new Map<string, Effect.Success<ReturnType<typeof renew>>>();
    for (const runId of runIds) states.set(runId, yield* renew(runId, now));
    return { at: Date.parse(now), ids: new Set(extended), states };
  });

  return extension;
});

/** Admits calls, and vouches for them until they end. */
export class Admissions extends Context.Service<
  Admissions,
  {
    /**
     * Fails unless the run that the call acts for, if there is one, may call tools now. With `mayCall` it is
     * judged before a server is opened for the call; the admission judges again.
     */
    readonly judge: Effect.Effect<Fence.Acting | null, StorageError | ToolUnavailable>;
    /**
     * Like `judge` for the start of a call that will be admitted: a run that was live when the request read it is not
     * read again.
     */
    readonly judgeFirst: Effect.Effect<Fence.Acting | null, StorageError | ToolUnavailable>;
    /** Fails if the agent is paused, or may not call without a live run. */
    mayCall(
      agentId: string,
      acting: Fence.Acting | null,
    ): Effect.Effect<void, StorageError | ToolUnavailable>;
    /** Fails unless the call acts for a live run. */
    readonly requireLive: Effect.Effect<RunRow, StorageError | ToolUnavailable>;
    /** Like `requireLive`, and renews the lease. */
    readonly renewLive: Effect.Effect<RunRow, StorageError | ToolUnavailable>;
    /**
     * Admits a call, and returns the run that it acts for. Repeated for the same call, it replaces its
     * earlier admission.
     */
    admit(
      call: StartedCall,
    ): Effect.Effect<RunRow | null, EffectHeld | StorageError | ToolUnavailable>;
    /** From now on the call neither renews its run nor ends with the run's lease. */
    callerLeft(call: StartedCall): void;
    /** Stops vouching for a call that has ended. */
    release(call: StartedCall): void;
  }
>()("@quartermaster/core/mcp/gateway/internal/Admissions") {
  static readonly layer = Layer.effect(
    Admissions,
    Effect.gen(function* () {
      const store = yield* ToolCallStore;
      const runs = yield* RunStore;
      const agents = yield* AgentStore;
      const fence = yield* Fence.make;
      const { transact, transactRelaxed } = yield* Transactor;
      const effects = yield* EffectCalls;
      const extension = yield* makeExtension;
      const held = new Map<string, Held>();
      const isHolding = Latch.makeUnsafe(false);

      const judged = Effect.catchTag(fence("tools"), "RunEnded", (ended) =>
        Effect.fail(refusal(ended)),
      );

      const mayCall: Admissions["Service"]["mayCall"] = Effect.fnUntraced(
        function* (agentId, acting) {
          // The pause of an agent stops its live runs in the same transaction.
          if (acting?.state === "live") return;
          const agent = Option.getOrNull(yield* agents.get(agentId));
          if (agent?.paused === true) return yield* agentPaused(agentId);
          if (agent?.callsNeedRun === true) return yield* noRun;
        },
      );

      const admission = Effect.fnUntraced(function* (call: StartedCall) {
        const acting = yield* judged;
        yield* mayCall(call.agentId, acting);
        if (call.isEffect && acting?.state !== "live") return yield* effectWithoutRun;
        const now = yield* Timestamp.now;
        const run = acting?.run ?? null;
        const isActive = acting?.state === "live";
        const renewal = run !== null && isActive ? renewed(run, now) : null;
        if (renewal !== null) yield* runs.update([renewal]);
        const until = Timestamp.addSeconds(now, aheadSeconds);
        const record: AdmittedCall = {
          ...CallRecords.started(call, run, yield* CallRecords.origin),
          durationMs: null,
          outcome: null,
          error: null,
          responseBytes: 0,
          until,
        };
        yield* store.admit(record);
        if (run !== null) yield* effects.admit(call, run, until);
        return { record, run, isActive, at: Date.parse(now) };
      });

      const admit: Admissions["Service"]["admit"] = Effect.fnUntraced(function* (call) {
        const { at, isActive, record, run } = yield* call.effect === null
          ? transactRelaxed(admission(call))
          : transact(admission(call));
        call.admitted = record;
        const until = at + aheadSeconds * 1_000;
        held.set(call.id, { call, run, isActive, until, dueAt: at + intervalMillis(run) });
        isHolding.openUnsafe();
        // The transaction had to wait.
        return (yield* Clock.currentTimeMillis) - at >= staleMillis ? yield* admit(call) : run;
      });

      const callerLeft = ({ id }: StartedCall): void => {
        const holding = held.get(id);
        if (holding !== undefined) held.set(id, { ...holding, run: null, isActive: false });
      };

      const release = ({ id }: StartedCall): void => {
        held.delete(id);
        if (held.size === 0) isHolding.closeUnsafe();
      };

      const extend = Effect.fnUntraced(function* (due: ReadonlyArray<Held>) {
        const { at, ids, states } = yield* transactRelaxed(extension(due));
        for (const each of due) {
          const { call, run } = each;
          if (!held.has(call.id)) continue;
          if (!ids.has(call.id)) call.interrupt(notExtended);
          each.until = at + aheadSeconds * 1_000;
          each.dueAt = at + intervalMillis(run);
          const state = run === null ? "over" : states.get(run.id);
          if (run !== null && state === "lost" && each.isActive) {
            call.interrupt(refusal({ runId: run.id, reason: "leaseExpired" }));
          }
          each.isActive = state === "active";
        }
      });

      const beat = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis;
        const due = [...held.values()].filter(({ dueAt }) => dueAt <= now);
        if (due.length === 0) return;
        yield* Effect.catch(extend(due), (error) =>
          Effect.logWarning("Cannot extend calls in flight", error),
        );
        const end = (yield* Clock.currentTimeMillis) + marginMillis;
        for (const { call, until } of due) if (until <= end) call.interrupt(notExtended);
      });

      yield* isHolding.await.pipe(
        Effect.andThen(Effect.sleep("1 second")),
        Effect.andThen(beat),
        Effect.forever,
        Effect.forkScoped,
      );

      const requireLive = Effect.flatMap(judged, (acting) =>
        acting?.state === "live" ? Effect.succeed(acting.run) : Effect.fail(effectWithoutRun),
      );

      const renewLive = transactRelaxed(
        Effect.gen(function* () {
          const run = yield* requireLive;
          const renewal = renewed(run, yield* Timestamp.now);
          if (renewal !== null) yield* runs.update([renewal]);
          return run;
        }),
      );

      return Admissions.of({
        judge: judged,
        judgeFirst: Effect.flatMap(actingAsRead, (acting) =>
          acting === null ? judged : Effect.succeed(acting),
        ),
        mayCall,
        requireLive,
        renewLive,
        admit,
        callerLeft,
        release,
      });
    }),
  );
}
