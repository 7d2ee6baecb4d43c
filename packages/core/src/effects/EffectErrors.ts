import { ErrorClass } from "../ErrorClass.ts";
import * as Timestamp from "../Timestamp.ts";
import { EffectState } from "./EffectSlot.ts";

/** The server may still carry the call out: it is too early to say that it did not happen. */
export class EffectOpen extends ErrorClass<EffectOpen>()(
  "EffectOpen",
  {
    retryAt: Timestamp.Timestamp.annotate({
      description: "The time from which the effect can be settled as not happened.",
    }),
  },
  ({ retryAt }) =>
    `The server may still carry the call out. Look again after ${Timestamp.toTheSecond(retryAt)}, then settle it.`,
) {}

/** An effect whose end is known, or is settled and has been used since. */
export class EffectSettled extends ErrorClass<EffectSettled>()(
  "EffectSettled",
  { state: EffectState.annotate({ description: "The state of the effect." }) },
  ({ state }) =>
    state === "sent"
      ? "The call is still in flight. Wait for its end."
      : `The effect is ${state} and takes no other end. Read the effects of the issue again.`,
) {}
