import { Effect } from "effect";
import { CoreOptions } from "../CoreOptions.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import { CallBodyStore } from "./CallBodyStore.ts";

/** Bodies per transaction: at most 18 MiB. */
const atOnce = 100;

/** The limits of all recorded arguments and results together. */
export const make = Effect.gen(function* () {
  const store = yield* CallBodyStore;
  const { callBodyBytes, callBodyDays } = yield* CoreOptions;
  const { transactRelaxed } = yield* Transactor;
  const scope = yield* Effect.scope;
  /** The bytes that this node has stored since it compared all bodies with the limit. */
  let unchecked = 0;

  /** Removes the oldest bodies, until all have at most `CoreOptions.callBodyBytes`. */
  const keepWithin = Effect.gen(function* () {
    unchecked = 0;
    let excess = (yield* store.totalBytes) - callBodyBytes;
    while (excess > 0) {
      const removed = yield* transactRelaxed(store.removeOldest(excess, atOnce));
      if (removed === 0) return;
      excess -= removed;
    }
  });

  /** Counts new bytes. Compares all bodies with the limit in the background, once 1 % of it is new. */
  const count = (bytes: number) =>
    Effect.suspend(() => {
      unchecked += bytes;
      if (unchecked <= callBodyBytes / 100) return Effect.void;
      return keepWithin.pipe(
        Effect.catch((error) => Effect.logWarning("Cannot remove old bodies of calls", error)),
        Effect.forkIn(scope),
        Effect.asVoid,
      );
    });

  /** Removes bodies of calls that ended `CoreOptions.callBodyDays` ago, and returns how many. */
  const prune = Effect.flatMap(Timestamp.now, (now) =>
    transactRelaxed(store.prune(Timestamp.addSeconds(now, -callBodyDays * 86_400), atOnce)),
  );

  return { count, keepWithin, prune };
});
