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
    const run = yield* admissions.requireLive;
    call.effect = yield* effects.keyOf(call);
    call.runId = run.id;
    const deadline = (yield* Clock.currentTimeMillis) + maxWaitMillis;
    while (true) {
      const judged = yield* effects.judge(call, run);
      if (judged !== "inFlight") return judged;
      if ((yield* Clock.currentTimeMillis) >= deadline) {
        return EffectReplay.stillInFlight(call.waitsSince ?? "");
      }
      yield* Effect.sleep(pollMillis);
      yield* admissions.renewLive;
    }
  });

  /** Sends an effect, which runs on if its caller hangs up after it was sent. */
  const runningOn = <E>(call: CallInFlight, sent: Effect.Effect<ToolResult, E>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Effect.forkIn(Effect.interruptible(sent), scope), (fiber) =>
        Effect.onInterrupt(restore(Fiber.join(fiber)), () => {
          if (!call.isSent) return Fiber.interrupt(fiber);
          admissions.callerLeft(call);
          call.continuing = fiber;
          return Effect.void;
        }),
      ),
    );

  /** Runs `ended` with the exit of the call, after the rest of an effect whose caller hung up. */
  const whenFinished = (
    call: CallInFlight,
    exit: Exit.Exit<ToolResult, unknown>,
    ended: (exit: Exit.Exit<ToolResult, unknown>) => Effect.Effect<void>,
  ): Effect.Effect<unknown> =>
    call.continuing === null
      ? ended(exit)
      : Fiber.await(call.continuing).pipe(Effect.flatMap(ended), Effect.forkIn(scope));

  return { judgedEffect, runningOn, whenFinished };
});
