import { Effect, Exit, Latch } from "effect";
import { EffectStore } from "../../../effects/EffectStore.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import { CurrentDelivery } from "../../Delivery.ts";
import type { EffectInFlight } from "./EffectInFlight.ts";

/** The number of deliveries in one transaction. */
const maxBatch = 100;

/** A delivery that ended. */
interface Ended {
  readonly effect: EffectInFlight;
  readonly isDelivered: boolean;
}

const byCall = ({ effect: a }: Ended, { effect: b }: Ended) =>
  a.slotCallId < b.slotCallId ? -1 : Number(a.slotCallId > b.slotCallId);

/** The effects on this node that are not settled, and the deliveries of their responses. */
export const make = Effect.gen(function* () {
  const store = yield* EffectStore;
  const { transactRelaxed } = yield* Transactor;
  const unsettled = new Set<EffectInFlight>();

  const settle = (effect: EffectInFlight): void => {
    unsettled.delete(effect);
    effect.settle();
  };

  /** Stores how deliveries ended: with a delivered response the run has used the slot. */
  const stored = Effect.fnUntraced(function* (deliveries: ReadonlyArray<Ended>) {
    const now = yield* Timestamp.now;
    // Every change that writes several slots writes them in this order.
    for (const { effect, isDelivered } of deliveries.toSorted(byCall)) {
      yield* store.deliver(effect.slotCallId, effect.runId, isDelivered ? now : null);
    }
  });

  const ended: Array<Ended> = [];
  const hasEnded = Latch.makeUnsafe(false);
  const batch = Effect.suspend(() => {
    const deliveries = ended.splice(0, maxBatch);
    if (deliveries.length === 0) return Effect.void;
    return transactRelaxed(stored(deliveries)).pipe(
      Effect.catchCause((cause) => Effect.logError("Deliveries of effects were not stored", cause)),
      Effect.ensuring(Effect.sync(() => deliveries.forEach(({ effect }) => settle(effect)))),
    );
  });
  // One fiber for all deliveries. Deliveries that end together share a transaction.
  const flush = hasEnded.close.pipe(
    Effect.andThen(Effect.repeat(batch, { until: () => ended.length === 0 })),
    Effect.uninterruptible,
  );
  yield* Effect.addFinalizer(() => flush);
  yield* hasEnded.await.pipe(Effect.andThen(flush), Effect.forever, Effect.forkScoped);

  /** Hands the end of an effect to its caller, and stores how the delivery of the response ended. */
  const handOver = Effect.fnUntraced(function* (
    effect: EffectInFlight,
    exit: Exit.Exit<unknown, unknown>,
  ) {
    if (!effect.isDone) return settle(effect);
    const listener = (isDelivered: boolean) => {
      ended.push({ effect, isDelivered });
      hasEnded.openUnsafe();
    };
    if (Exit.isFailure(exit)) return listener(false);
    const report = yield* CurrentDelivery;
    report(listener);
  });

  return {
    begin: (effect: EffectInFlight) => void unsettled.add(effect),
    handOver,
    /** The effect on this node that sends the slot of this call, or whose response has its result. */
    holder: (effect: EffectInFlight, callId: string) =>
      [...unsettled].find((other) => other !== effect && other.slotCallId === callId),
  };
});
