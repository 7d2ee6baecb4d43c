import { assert, describe, it } from "@effect/vitest";
import { Clock, Duration, Effect } from "effect";
import * as Allowance from "../src/servers/stdio/Allowance.ts";

/** A clock that only sleeps move. They end late, as on a busy host. */
const clockOf = (lateMillis: number): Clock.Clock => {
  let now = 0;
  const nanos = () => BigInt(Math.round(now * 1_000_000));
  return {
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.sync(() => {
        now += Duration.toMillis(duration) + lateMillis;
      }),
  };
};

const limits = { burst: 8_000_000, perSecond: 1_000_000, patienceMillis: 5_000 };

describe("the allowance of a server's output", () => {
  it.effect.each([0, 50, 200])(
    "[connector.stdio.floodsUnasked] a flood exhausts it within 6 s although pauses end %s ms late",
    (lateMillis) =>
      Effect.gen(function* () {
        const allowance = Allowance.make(limits);
        let reads = 0;
        while (reads < 10_000 && (yield* allowance.take(40_000))) reads += 1;
        const millis = yield* Clock.currentTimeMillis;
        assert.isAtLeast(millis, 5_000);
        assert.isBelow(millis, 6_000);
      }).pipe(Effect.provideService(Clock.Clock, clockOf(lateMillis))),
  );

  it.effect(
    "[connector.stdio.floodsUnasked] a server that was silent has its whole patience again",
    () =>
      Effect.gen(function* () {
        const allowance = Allowance.make(limits);
        const large = limits.burst + 40_000;
        assert.isTrue(yield* allowance.take(large));
        yield* Effect.sleep("1 minute");
        assert.isTrue(yield* allowance.take(large));
      }).pipe(Effect.provideService(Clock.Clock, clockOf(0))),
  );

  it.effect(
    "[connector.stdio.floodsUnasked] a server that slows down below the rate is not stopped",
    () =>
      Effect.gen(function* () {
        const allowance = Allowance.make(limits);
        assert.isTrue(yield* allowance.take(limits.burst + 40_000));
        for (let read = 0; read < 600; read += 1) {
          yield* Effect.sleep("100 millis");
          assert.isTrue(yield* allowance.take(90_000));
        }
      }).pipe(Effect.provideService(Clock.Clock, clockOf(0))),
  );
});
