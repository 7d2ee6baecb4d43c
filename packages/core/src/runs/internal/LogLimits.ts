import { Effect, Semaphore } from "effect";
import { CoreOptions } from "../../CoreOptions.ts";
import { Transactor } from "../../Transactor.ts";
import { RunLogStore } from "../RunLogStore.ts";
import * as LogWriting from "./LogWriting.ts";

/** Logs per read of the runs that ended first. */
const clearedAtOnce = 100;

/** The limit of all logs together. */
export const make = Effect.gen(function* () {
  const store = yield* RunLogStore;
  const { logBytes } = yield* CoreOptions;
  const { transact } = yield* Transactor;
  const scope = yield* Effect.scope;
  const { clear } = yield* LogWriting.make;
  /** The bytes that this node has stored since it compared all logs with the limit. */
  let unchecked = 0;

  /** Two at the same time would drop logs for the same bytes twice. */
  const turn = yield* Semaphore.make(1);

  const drop = Effect.gen(function* () {
    let total = yield* store.totalBytes;
    while (total > logBytes) {
      const oldest = yield* store.endedFirst(clearedAtOnce);
      if (oldest.length === 0) return;
      const sizes = yield* store.bytesOf(oldest);
      for (const runId of oldest) {
        if (total <= logBytes) return;
        yield* transact(clear(runId));
        total -= sizes.get(runId) ?? 0;
      }
    }
  });

  /** Drops the logs of the runs that ended first, until all are within the limit. */
  const keepWithin = Effect.suspend(() => {
    unchecked = 0;
    return turn.withPermit(drop);
  });

  /** Counts new bytes. Compares all logs with the limit in the background, once 1 % of it is new. */
  const count = (bytes: number) =>
    Effect.suspend(() => {
      unchecked += bytes;
      if (unchecked <= logBytes / 100) return Effect.void;
      return keepWithin.pipe(
        Effect.catch((error) => Effect.logWarning("Cannot drop old logs of runs", error)),
        Effect.forkIn(scope),
        Effect.asVoid,
      );
    });

  return { count, keepWithin };
});
