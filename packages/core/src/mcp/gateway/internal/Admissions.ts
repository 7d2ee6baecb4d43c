import { Clock, Context, Effect, Latch, Layer, Option } from "effect";
import type { RunEnded } from "../../../agents/AgentErrors.ts";
import { AgentStore } from "../../../agents/AgentStore.ts";
import * as Fence from "../../../agents/Fence.ts";
import { isLive, reasonInWords, type RunRow } from "../../../agents/Run.ts";
import { RunStore } from "../../../agents/RunStore.ts";
import type { StorageError } from "../../../CommonErrors.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import { ToolUnavailable } from "../../McpErrors.ts";
import type { AdmittedCall } from "../../ToolCall.ts";
import { ToolCallStore } from "../../ToolCallStore.ts";
import type { StartedCall } from "./CallRecords.ts";
import * as CallRecords from "./CallRecords.ts";

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

const notExtended = new ToolUnavailable({
  reason: "crashed",
  explanation: "The service could not store that the call was still in flight, and cancelled it.",
});

/** Admits calls, and vouches for them until they end. */
export class Admissions extends Context.Service<
  Admissions,
  {
    /** Fails unless the run that the call acts for, if there is one, may call tools now. */
    readonly judge: Effect.Effect<void, StorageError | ToolUnavailable>;
    /** Admits a call. Repeated for the same call, it replaces its earlier admission. */
    admit(call: StartedCall): Effect.Effect<void, StorageError | ToolUnavailable>;
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
      const { transactRelaxed } = yield* Transactor;
      const held = new Map<string, Held>();
      const isHolding = Latch.makeUnsafe(false);

      const judged = Effect.catchTag(fence("tools"), "RunEnded", (ended) =>
        Effect.fail(refusal(ended)),
      );

      const mayCallWithoutRun = Effect.fnUntraced(function* (agentId: string) {
        if (Option.getOrNull(yield* agents.get(agentId))?.callsNeedRun === true)
          return yield* noRun;
      });

      const admission = Effect.fnUntraced(function* (call: StartedCall) {
        const acting = yield* judged;
        if (acting?.state !== "live") yield* mayCallWithoutRun(call.agentId);
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
        return { run, isActive, at: Date.parse(now) };
      });

      const admit: Admissions["Service"]["admit"] = Effect.fnUntraced(function* (call) {
        const { at, isActive, run } = yield* transactRelaxed(admission(call));
        const until = at + aheadSeconds * 1_000;
        held.set(call.id, { call, run, isActive, until, dueAt: at + intervalMillis(run) });
        isHolding.openUnsafe();
        // The transaction had to wait.
        if ((yield* Clock.currentTimeMillis) - at >= staleMillis) yield* admit(call);
      });

      const release = ({ id }: StartedCall): void => {
        held.delete(id);
        if (held.size === 0) isHolding.closeUnsafe();
      };

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
        const extended = yield* store.extend(ids, Timestamp.addSeconds(now, aheadSeconds));
        const runIds = new Set(due.flatMap(({ run }) => (run === null ? [] : [run.id])));
        const states = new Map<string, Effect.Success<ReturnType<typeof renew>>>();
        for (const runId of runIds) states.set(runId, yield* renew(runId, now));
        return { at: Date.parse(now), ids: new Set(extended), states };
      });

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

      return Admissions.of({ judge: Effect.asVoid(judged), admit, release });
    }),
  );
}
