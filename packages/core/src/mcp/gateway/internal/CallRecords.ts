import { Clock, Context, Effect, Exit, Latch, Layer, Option, Semaphore } from "effect";
import * as Id from "../../../Id.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";
import { RpcError } from "../../McpConnector.ts";
import { ToolUnavailable } from "../../McpErrors.ts";
import type { CallOutcome, ToolCall } from "../../ToolCall.ts";
import { ToolCallStore } from "../../ToolCallStore.ts";
import * as Results from "../../untrusted/Results.ts";
import * as CallMetrics from "./CallMetrics.ts";

/** A finished call. */
export interface EndedCall {
  readonly agentId: string;
  /** Null if its tool is unknown. */
  readonly server: InstalledServerRow | null;
  readonly tool: string;
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly request: unknown;
  readonly exit: Exit.Exit<unknown, unknown>;
}

/** The time for which records are collected. */
const interval = "250 millis";
/** The number of records in one transaction. */
const maxBatch = 500;

/**
 * Counts finished calls and stores their records in batches, so that no call waits for the disk.
 */
export class CallRecords extends Context.Service<
  CallRecords,
  {
    ended(call: EndedCall): Effect.Effect<void>;
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
      const { transact } = yield* Transactor;
      const newId = yield* Id.generator;
      const pending: Array<ToolCall> = [];
      const isPending = Latch.makeUnsafe(false);
      const batch = Effect.suspend(() => {
        const calls = pending.splice(0, maxBatch);
        return calls.length === 0
          ? Effect.void
          : Effect.catch(transact(store.append(calls)), (error) =>
              Effect.logError(`${calls.length} records of tool calls were lost`, error),
            );
      });
      const flush = isPending.close.pipe(
        Effect.andThen(Effect.repeat(batch, { until: () => pending.length === 0 })),
        Semaphore.makeUnsafe(1).withPermit,
        Effect.uninterruptible,
      );
      yield* Effect.addFinalizer(() => flush);
      yield* isPending.await.pipe(
        Effect.andThen(Effect.sleep(interval)),
        Effect.andThen(flush),
        Effect.forever,
        Effect.forkScoped,
      );

      const ended = Effect.fnUntraced(function* (call: EndedCall) {
        const { agentId, exit, request, server, started, tool } = call;
        const outcome = outcomeOf(exit);
        const durationMs = (yield* Clock.currentTimeMillis) - started;
        yield* CallMetrics.record(server?.name ?? null, outcome, durationMs);
        pending.push({
          id: yield* newId("evt"),
          agentId,
          serverId: server?.id ?? null,
          tool,
          startedAt: Timestamp.ofMillis(started),
          durationMs,
          outcome,
          requestBytes: Results.bytesOf(request),
          responseBytes: Exit.isSuccess(exit) ? Results.bytesOf(exit.value) : 0,
        });
        isPending.openUnsafe();
      });

      return CallRecords.of({ ended, flush });
    }),
  );
}

const isErrorResult = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "isError" in value && value.isError === true;

const outcomeOf = (exit: Exit.Exit<unknown, unknown>): CallOutcome => {
  if (Exit.isSuccess(exit)) return isErrorResult(exit.value) ? "error" : "ok";
  const failure = Option.getOrNull(Exit.findErrorOption(exit));
  if (failure instanceof ToolUnavailable) return failure.reason;
  if (failure instanceof RpcError) return "error";
  return failure === null && Exit.hasInterrupts(exit) ? "cancelled" : "failing";
};
