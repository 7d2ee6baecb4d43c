import { Effect, Latch, type Scope, Semaphore } from "effect";
import type { StorageError } from "../../../CommonErrors.ts";
import type { ToolCall } from "../../ToolCall.ts";

/** Stores records of calls in batches, so that no call waits for the disk. */
export interface CallRecorder {
  readonly record: (call: ToolCall) => void;
  /** Stores all pending records now. `Stream.groupedWithin` cannot: its buffer is private. */
  readonly flush: Effect.Effect<void>;
}

/** How long records are gathered. */
const interval = "250 millis";
/** Records in one transaction. */
const maxBatch = 500;

export const make = Effect.fnUntraced(function* (
  append: (calls: ReadonlyArray<ToolCall>) => Effect.Effect<void, StorageError>,
): Effect.fn.Return<CallRecorder, never, Scope.Scope> {
  const pending: Array<ToolCall> = [];
  const isPending = Latch.makeUnsafe(false);
  const batch = Effect.suspend(() => {
    const calls = pending.splice(0, maxBatch);
    return calls.length === 0
      ? Effect.void
      : Effect.catch(append(calls), (error) =>
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
  return {
    record: (call) => {
      pending.push(call);
      isPending.openUnsafe();
    },
    flush,
  };
});
