import type { Errors } from "@quartermaster/core";
import { StorageErrors } from "@quartermaster/storage-sql";
import { Clock, Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { pause } from "./client/Pause.ts";

/**
 * A clock that follows the clock of the database, so that all nodes have one clock: a node whose own
 * clock is ahead would end the leases of others.
 *
 * Between two readings it follows the monotonic clock of the machine. Setting the machine's clock
 * changes nothing. A difference is corrected by running up to 10 % faster or slower, so time never
 * runs backwards. If the clock of the database was set by more than a minute, it jumps, as the
 * machine's clock would: `ClockJumps` in core reports that.
 */

const everyMillis = 30_000;
/** The reading with the shortest round trip is the most exact: half of it is the largest error. */
const readings = 5;
const rate = 0.1;
const jumpMillis = 60_000;
const warnMillis = 1_000;

/** Corrects a monotonic clock. All times are in milliseconds. */
export const makeCorrection = (monotonic: () => number, start: number) => {
  let last = monotonic();
  let offset = start - last;
  let target = offset;
  const now = (): number => {
    const reading = monotonic();
    const most = (reading - last) * rate;
    offset += Math.max(-most, Math.min(most, target - offset));
    last = reading;
    return reading + offset;
  };
  /** `difference` is the time of the database, less the monotonic clock. */
  const correct = (difference: number): void => {
    now();
    target = difference;
    if (Math.abs(target - offset) > jumpMillis) offset = target;
  };
  return { now, correct };
};

interface Reading {
  readonly difference: number;
  readonly roundTrip: number;
}

/** The time of the database now. */
const databaseMillis = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    StorageErrors.mapped(sql<{ readonly millis: number }>`
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS millis`),
    ([row]) => row?.millis ?? 0,
  ),
);

/** Makes the clock, which `read` corrects as long as the scope. */
export const make = Effect.fnUntraced(function* <R>(
  read: Effect.Effect<number, Errors.StorageError, R>,
) {
  const local = yield* Clock.Clock;
  const monotonic = () => Number(local.monotonicTimeNanosUnsafe()) / 1_000_000;

  const once: Effect.Effect<Reading, Errors.StorageError, R> = Effect.gen(function* () {
    const before = monotonic();
    const millis = yield* read;
    const after = monotonic();
    return { difference: millis - (before + after) / 2, roundTrip: after - before };
  });
  const measure = Effect.gen(function* () {
    let best = yield* once;
    for (let count = 1; count < readings; count++) {
      const reading = yield* once;
      if (reading.roundTrip < best.roundTrip) best = reading;
    }
    return best.difference;
  });

  let warnedAt = 0;
  const warn = (difference: number) =>
    Effect.suspend(() => {
      const ahead = local.currentTimeMillisUnsafe() - monotonic() - difference;
      const isNew = Math.abs(ahead - warnedAt) > warnMillis;
      if (!isNew) return Effect.void;
      warnedAt = Math.abs(ahead) > warnMillis ? ahead : 0;
      return warnedAt === 0
        ? Effect.void
        : Effect.logWarning(
            `The clock of this machine is ${Math.abs(ahead / 1_000).toFixed(1)} s ${ahead > 0 ? "ahead of" : "behind"} the database's, which the server uses`,
          );
    });

  const first = yield* measure;
  yield* warn(first);
  const { correct, now } = makeCorrection(monotonic, first + monotonic());
  const follow = Effect.flatMap(measure, (difference) => {
    correct(difference);
    return warn(difference);
  });
  yield* Effect.forkScoped(
    Effect.forever(Effect.andThen(pause(everyMillis), Effect.ignore(follow, { log: "Debug" }))),
  );

  const millis = () => Math.floor(now());
  const nanos = () => {
    const time = now();
    const whole = Math.floor(time);
    return BigInt(whole) * 1_000_000n + BigInt(Math.floor((time - whole) * 1_000_000));
  };
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => local.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: local.monotonicTimeNanos,
    sleep: (duration) => local.sleep(duration),
  };
  return clock;
});

/** The clock of the current `SqlClient`'s database, for everything that the layer is provided to. */
export const layer: Layer.Layer<never, Errors.StorageError, SqlClient.SqlClient> = Layer.effect(
  Clock.Clock,
  make(databaseMillis),
);
