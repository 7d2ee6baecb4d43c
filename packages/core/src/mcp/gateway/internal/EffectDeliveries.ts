import { Effect, Exit, Fiber, Option } from "effect";
import { EffectStore } from "../../../effects/EffectStore.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import { CurrentDelivery } from "../../Delivery.ts";
import type { EffectInFlight } from "./EffectInFlight.ts";

/** The effects on this node that are not settled, and the deliveries of their responses. */
export const make = Effect.gen(function* () {
  const store = yield* EffectStore;
  const { transactRelaxed } = yield* Transactor;
  const scope = yield* Effect.scope;
  const unsettled = new Set<EffectInFlight>();

  const settle = (effect: EffectInFlight): void => {
    unsettled.delete(effect);
    effect.settle();
  };

  /** Stores that the run has used the slot. */
  const delivered = Effect.fnUntraced(function* ({ runId, slotCallId }: EffectInFlight) {
    const slot = Option.getOrNull(yield* store.get(slotCallId));
    if (slot?.state !== "done") return;
    const at = yield* Timestamp.now;
    const others = slot.delivered.filter((to) => to.runId !== runId);
    yield* store.replace(slotCallId, { ...slot, delivered: [...others, { runId, at }] });
  });

  /**
   * Hands the end of an effect to its caller. Once the response is delivered, stores that the run has used the
   * slot.
   */
  const handOver = Effect.fnUntraced(function* (
    effect: EffectInFlight,
    exit: Exit.Exit<unknown, unknown>,
  ) {
    if (Exit.isFailure(exit) || !effect.isDone) return settle(effect);
    const context = yield* Effect.context<never>();
    const report = yield* CurrentDelivery;
    report((isDelivered) => {
      if (!isDelivered) return settle(effect);
      const recording = transactRelaxed(delivered(effect)).pipe(
        Effect.catch((error) => Effect.logError("The delivery of an effect was not stored", error)),
        Effect.ensuring(Effect.sync(() => settle(effect))),
      );
      Fiber.runIn(Effect.runForkWith(context)(recording), scope);
    });
  });

  return {
    begin: (effect: EffectInFlight) => void unsettled.add(effect),
    handOver,
    /** The effect of the same run that sends the slot of this call, or whose response may use it. */
    holder: (effect: EffectInFlight, callId: string) =>
      [...unsettled].find(
        (other) => other !== effect && other.slotCallId === callId && other.runId === effect.runId,
      ),
  };
});
