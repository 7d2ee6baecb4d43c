import { Clock, Context, Effect, Exit, Latch, Layer, Option, Semaphore } from "effect";
import { CurrentKey } from "../../../access/CurrentKey.ts";
import { CurrentRun } from "../../../agents/CurrentRun.ts";
import { CurrentWorker } from "../../../agents/CurrentWorker.ts";
import type { RunRow } from "../../../agents/Run.ts";
import { RunStore } from "../../../agents/RunStore.ts";
import { IdempotencyMismatch, type StorageError } from "../../../CommonErrors.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import * as CallBodyLimits from "../../CallBodyLimits.ts";
import { CallBodyStore } from "../../CallBodyStore.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";
import { RpcError } from "../../McpConnector.ts";
import { ToolUnavailable } from "../../McpErrors.ts";
import type { AdmittedCall, CallOutcome, EndedCall } from "../../ToolCall.ts";
import { ToolCallStore } from "../../ToolCallStore.ts";
import * as Results from "../../untrusted/Results.ts";
import type { PendingBody } from "./CallBodies.ts";
import * as CallBodies from "./CallBodies.ts";
import * as CallErrors from "./CallErrors.ts";
import * as CallMetrics from "./CallMetrics.ts";
import type { EffectInFlight } from "./EffectInFlight.ts";

/** The server and the tool of a call. */
export interface CallTarget {
  /** Null if the tool is unknown. */
  readonly server: InstalledServerRow | null;
  readonly tool: string;
  readonly toolDigest: string | null;
}

/** A call of a tool, or the reading of a resource, that has not ended. */
export interface StartedCall {
  readonly id: string;
  readonly agentId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly content: unknown;
  readonly target: CallTarget;
  /** Whether the server may have received it. */
  readonly isSent: boolean;
  /** Whether the server's settings say that it happens once. */
  readonly isEffect: boolean;
  /** Whether its result is the result of an earlier call. */
  readonly isReplay: boolean;
  /** Set for an effect that acts for a live run. */
  readonly effect: EffectInFlight | null;
  /** The record of its last admission; null before the first. */
  admitted: AdmittedCall | null;
  /**
   * The arguments without the server's secrets. Set for a sent call of which everything is recorded.
   */
  recordedArguments: unknown;
  /** Ends the call with this refusal, and cancels it at the server. */
  interrupt(refusal: ToolUnavailable): void;
}

/** The key and the process of the current request. */
export const origin = Effect.gen(function* () {
  return { keyId: yield* CurrentKey, worker: yield* CurrentWorker };
});

/** The part of a record that is known at the start of the call. */
export const started = (
  { agentId, content, id, startedAt, target: { server, tool, toolDigest } }: StartedCall,
  run: Pick<RunRow, "id" | "issueId" | "projectId"> | null,
  { keyId, worker }: Effect.Success<typeof origin>,
) => ({
  id,
  agentId,
  runId: run?.id ?? null,
  issueId: run?.issueId ?? null,
  projectId: run?.projectId ?? null,
  keyId,
  worker,
  serverId: server?.id ?? null,
  server: server?.name ?? null,
  tool,
  toolDigest,
  startedAt: Timestamp.ofMillis(startedAt),
  requestBytes: Results.bytesOf(content),
  recorded: server?.recordCalls ?? "errors",
});

/** The number of records in one transaction. */
const maxBatch = 500;
/** The characters of bodies after which a transaction takes no further record. */
const maxBatchText = 2 * 1_024 * 1_024;

interface Ended {
  readonly call: EndedCall;
  readonly body: PendingBody | null;
}

/** Removes the next records to store together from `pending`. */
const nextOf = (pending: Array<Ended>): ReadonlyArray<Ended> => {
  let count = 0;
  for (let text = 0; count < Math.min(pending.length, maxBatch) && text < maxBatchText; count++) {
    text += pending[count]?.body?.text.length ?? 0;
  }
  return pending.splice(0, count);
};

/**
 * Counts ended calls, and stores their records after their results were returned, so that no call waits
 * for the disk.
 */
export class CallRecords extends Context.Service<
  CallRecords,
  {
    ended(call: StartedCall, exit: Exit.Exit<unknown, unknown>): Effect.Effect<void>;
    /**
     * Stores all pending records now. `Stream.groupedWithin` cannot do this: its buffer is private.
     */
    readonly flush: Effect.Effect<void>;
  }
>()("@quartermaster/core/mcp/gateway/internal/CallRecords") {
  static readonly layer = Layer.effect(
    CallRecords,
    Effect.gen(function* () {
      const store = yield* ToolCallStore;
      const runs = yield* RunStore;
      const { transactRelaxed } = yield* Transactor;
      const bodies = yield* CallBodies.make;
      const bodyStore = yield* CallBodyStore;
      const limits = yield* CallBodyLimits.make;
      const pending: Array<Ended> = [];
      const isPending = Latch.makeUnsafe(false);
      const storeAll = Effect.fnUntraced(function* (ended: ReadonlyArray<Ended>) {
        const append = store.append(ended.map(({ call }) => call));
        const texts = ended.flatMap(({ body }) => (body === null ? [] : [body]));
        if (texts.length === 0) return yield* transactRelaxed(append);
        const sealed = yield* Effect.forEach(texts, bodies.sealed);
        yield* transactRelaxed(Effect.andThen(append, bodyStore.put(sealed)));
        yield* limits.count(sealed.reduce((sum, { bytes }) => sum + bytes, 0));
      });
      const batch = Effect.suspend(() => {
        const ended = nextOf(pending);
        return ended.length === 0
          ? Effect.void
          : Effect.catch(storeAll(ended), (error) =>
              Effect.logError(`${ended.length} records of tool calls were lost`, error),
            );
      });
      const flush = isPending.close.pipe(
        Effect.andThen(Effect.repeat(batch, { until: () => pending.length === 0 })),
        Semaphore.makeUnsafe(1).withPermit,
        Effect.uninterruptible,
      );
      yield* Effect.addFinalizer(() => flush);
      yield* isPending.await.pipe(Effect.andThen(flush), Effect.forever, Effect.forkScoped);

      /** The run that a call acts for that was not admitted; null if it acts for none, or the run cannot be read. */
      const actingRun: Effect.Effect<RunRow | null> = Effect.flatMap(CurrentRun, (acting) =>
        acting === null
          ? Effect.succeed(null)
          : runs.get(acting.id).pipe(
              Effect.map(Option.getOrNull),
              Effect.catch((_: StorageError) => Effect.succeed(null)),
            ),
      );

      const ended: CallRecords["Service"]["ended"] = Effect.fnUntraced(function* (call, exit) {
        const outcome = outcomeOf(call, exit);
        const endedAt = yield* Clock.currentTimeMillis;
        const durationMs = endedAt - call.startedAt;
        yield* CallMetrics.record(call.target.server?.name ?? null, outcome, durationMs);
        const { until: _, ...record } = call.admitted ?? {
          until: null,
          ...started(call, yield* actingRun, yield* origin),
        };
        const result = Exit.isSuccess(exit) ? exit.value : undefined;
        const body = CallBodies.pending(
          record,
          Timestamp.ofMillis(endedAt),
          call.recordedArguments,
          result,
        );
        const ended: EndedCall = {
          ...record,
          outcome,
          durationMs,
          error:
            outcome === "ok" || outcome === "replayed" || record.recorded === "none"
              ? null
              : CallErrors.textOf(exit, call.effect),
          responseBytes: Exit.isSuccess(exit) ? Results.bytesOf(exit.value) : 0,
        };
        pending.push({ call: ended, body });
        isPending.openUnsafe();
      });

      return CallRecords.of({ ended, flush });
    }),
  );
}

const isErrorResult = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "isError" in value && value.isError === true;

const outcomeOf = (
  { effect, isReplay, isSent }: StartedCall,
  exit: Exit.Exit<unknown, unknown>,
): CallOutcome => {
  if (isReplay) return "replayed";
  if (effect?.hasWaitedInVain === true) return "refused";
  if (Exit.isSuccess(exit)) return isErrorResult(exit.value) ? "error" : "ok";
  const failure = Option.getOrNull(Exit.findErrorOption(exit));
  if (failure instanceof ToolUnavailable) {
    const { reason } = failure;
    if (reason === "effectUnknown") return "refused";
    if (reason !== "runEnded" && reason !== "noRun") return reason;
    return isSent ? "cancelled" : "refused";
  }
  if (failure instanceof IdempotencyMismatch) return "refused";
  if (failure instanceof RpcError) return "error";
  return failure === null && Exit.hasInterrupts(exit) ? "cancelled" : "failing";
};
