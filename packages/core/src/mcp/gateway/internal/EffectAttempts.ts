import { Clock, Effect, type Exit, Fiber } from "effect";
import type { ToolResult } from "../../McpConnector.ts";
import { Admissions } from "./Admissions.ts";
import type { CallInFlight } from "./CallInFlight.ts";
import { EffectCalls } from "./EffectCalls.ts";
import * as EffectReplay from "./EffectReplay.ts";

/** The longest wait for an equal effect that is in flight, in milliseconds. */
const maxWaitMillis = 45_000;
/** The time between two looks at an equal effect, in milliseconds. It may be in flight on another node. */
const pollMillis = 250;

/** The part of a call that only effects have: the wait for an equal effect, and a life without its caller. */
export const make = Effect.gen(function* () {
  const admissions = yield* Admissions;
  const effects = yield* EffectCalls;
  const scope = yield* Effect.scope;

  /** The result of an equal effect, for which the call waits; null if the call may be sent. */
  const judgedEffect = Effect.fnUntraced(function* (call: CallInFlight) {
    const { acting } = call;
    // Judged at the start of the call; the admission judges again.
    const run = acting?.state === "live" ? acting.run : yield* admissions.requireLive;
    const effect = yield* effects.start(call, run.id);
    while (true) {
      const judgment = yield* effects.judge(call, effect, run, admissions.renewLive);
      if (judgment === null || judgment.wait === null) return judgment?.result ?? null;
      const { settled, since } = judgment.wait;
      const now = yield* Clock.currentTimeMillis;
      effect.waitsUntil ??= now + maxWaitMillis;
      if (now >= effect.waitsUntil) {
        effect.hasWaitedInVain = true;
        return EffectReplay.stillInFlight(since);
      }
      const poll = Effect.sleep(pollMillis);
      yield* settled === null ? poll : Effect.raceFirst(settled, poll);
    }
  });

  /** Sends an effect, which runs on if its caller hangs up after it was sent. */
  const runningOn = <E>(call: CallInFlight, sent: Effect.Effect<ToolResult, E>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Effect.forkIn(Effect.interruptible(sent), scope), (fiber) =>
        Effect.onInterrupt(restore(Fiber.join(fiber)), () => {
          if (!call.isSent || call.effect === null) return Fiber.interrupt(fiber);
          admissions.callerLeft(call);
          call.effect.rest = fiber;
          return Effect.void;
        }),
      ),
    );

  /** Runs `ended` with the exit of the call, after the rest of an effect whose caller hung up. */
  const whenFinished = (
    { effect }: CallInFlight,
    exit: Exit.Exit<ToolResult, unknown>,
    ended: (exit: Exit.Exit<ToolResult, unknown>) => Effect.Effect<void>,
  ): Effect.Effect<unknown> =>
    effect?.rest == null
      ? ended(exit)
      : Fiber.await(effect.rest).pipe(Effect.flatMap(ended), Effect.forkIn(scope));

  return { judgedEffect, runningOn, whenFinished };
});
