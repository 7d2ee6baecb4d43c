import { Deferred, Effect, Latch, Queue, type Scope } from "effect";
import type { StorageError } from "../../../CommonErrors.ts";
import type { ToolCall } from "../../ToolCall.ts";

/** Keeps records without making calls wait. */
export interface CallRecorder {
  readonly record: (call: ToolCall) => void;
  /** Waits until what was recorded before is kept. */
  readonly kept: Effect.Effect<void>;
}

type Item = ToolCall | Deferred.Deferred<void>;

const isCall = (item: Item): item is ToolCall => !Deferred.isDeferred(item);

/** How long records are gathered: a write to disk holds up the calls of that moment. */
const gathering = "250 millis";
/** Records that are not gathered any longer. */
const enough = 500;

/** Writes many records at once with `keep`, the last ones when the scope closes. */
export const make = Effect.fnUntraced(function* (
  keep: (calls: ReadonlyArray<ToolCall>) => Effect.Effect<void, StorageError>,
): Effect.fn.Return<CallRecorder, never, Scope.Scope> {
  const queue = yield* Queue.unbounded<Item>();
  const write = Effect.fnUntraced(function* (items: ReadonlyArray<Item>) {
    const calls = items.filter(isCall);
    if (calls.length > 0) {
      yield* Effect.catch(keep(calls), (error) =>
        Effect.logError(`${calls.length} records of tool calls were lost`, error),
      );
    }
    for (const item of items) if (!isCall(item)) yield* Deferred.succeed(item, undefined);
  });
  yield* Effect.addFinalizer(() => Effect.flatMap(Queue.clear(queue), write));
  const urgent = Latch.makeUnsafe(false);
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.uninterruptibleMask((restore) =>
        restore(
          Effect.andThen(
            Queue.peek(queue),
            Effect.raceFirst(Effect.sleep(gathering), urgent.await),
          ),
        ).pipe(
          Effect.andThen(urgent.close),
          Effect.andThen(Queue.clear(queue)),
          Effect.flatMap(write),
        ),
      ),
    ),
  );
  return {
    record: (call) => {
      Queue.offerUnsafe(queue, call);
      if (Queue.sizeUnsafe(queue) >= enough) urgent.openUnsafe();
    },
    kept: Effect.suspend(() => {
      const mark = Deferred.makeUnsafe<void>();
      Queue.offerUnsafe(queue, mark);
      urgent.openUnsafe();
      return Deferred.await(mark);
    }),
  };
});
