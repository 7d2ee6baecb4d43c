import { assert, describe, it } from "@effect/vitest";
import { Clock, Effect, Layer, Redacted } from "effect";
import { DatabaseClock, PostgresClient } from "../src/index.ts";
import { url, withServer } from "./support/TestStorage.ts";

const hour = 3_600_000;

describe("the correction of a clock", () => {
  const start = (at: number) => {
    let monotonic = 0;
    const { correct, now } = DatabaseClock.makeCorrection(() => monotonic, at);
    return { correct, now, pass: (millis: number) => void (monotonic += millis) };
  };

  it("runs at most 10 % slower or faster, and never backwards", () => {
    for (const difference of [2_000, -2_000]) {
      const { correct, now, pass } = start(1_000_000);
      correct(1_000_000 + difference);
      let before = now();
      assert.strictEqual(before, 1_000_000);
      for (let passed = 0; passed < 20_000; passed += 100) {
        pass(100);
        const time = now();
        assert.isAtLeast(time - before, 90 - 0.001);
        assert.isAtMost(time - before, 110 + 0.001);
        before = time;
      }
      assert.closeTo(before, 1_020_000 + difference, 0.01);
      pass(1_000);
      assert.closeTo(now(), 1_021_000 + difference, 0.01);
    }
  });

  it("jumps if the clock of the database was set by more than a minute", () => {
    const { correct, now, pass } = start(1_000_000);
    pass(10);
    correct(1_000_000 + hour);
    assert.strictEqual(now(), 1_000_010 + hour);
  });
});

/** A machine whose clock is ahead, and can be set. */
const machine = (aheadMillis: number): Clock.Clock & { ahead: number } => {
  const real = Effect.runSync(Clock.Clock);
  const result: Clock.Clock & { ahead: number } = {
    ahead: aheadMillis,
    currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe() + result.ahead,
    currentTimeMillis: Effect.sync(() => result.currentTimeMillisUnsafe()),
    currentTimeNanosUnsafe: () => real.currentTimeNanosUnsafe() + BigInt(result.ahead) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => result.currentTimeNanosUnsafe()),
    monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: real.monotonicTimeNanos,
    sleep: (duration: Parameters<Clock.Clock["sleep"]>[0]) => real.sleep(duration),
  };
  return result;
};

withServer(() => {
  it.live("a machine whose clock is an hour ahead, or is set, has the time of the database", () =>
    Effect.gen(function* () {
      const real = yield* Clock.Clock;
      const local = machine(hour);
      const clock = DatabaseClock.layer.pipe(
        Layer.provide(PostgresClient.layer({ url: Redacted.make(url), pool: 1 })),
        Layer.provide(Layer.succeed(Clock.Clock, local)),
      );
      yield* Effect.gen(function* () {
        const difference = Effect.map(
          Clock.currentTimeMillis,
          (millis) => millis - real.currentTimeMillisUnsafe(),
        );
        assert.closeTo(yield* difference, 0, 200);
        local.ahead = -hour;
        assert.closeTo(yield* difference, 0, 200);
        const nanos = yield* Clock.currentTimeNanos;
        assert.closeTo(Number(nanos / 1_000_000n) - real.currentTimeMillisUnsafe(), 0, 200);
      }).pipe(Effect.provide(clock));
    }).pipe(Effect.scoped),
  );
});
