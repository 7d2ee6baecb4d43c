import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { Effect, Layer, Schedule } from "effect";

/** The size at which the young generation stops growing, in bytes. */
const youngLimit = 16 * 1024 * 1024;

/** V8 reads the factor each time that it grows the young generation. */
const limitYoung = Effect.sync(() => {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  const isLarge = (young?.space_size ?? 0) >= youngLimit;
  // It shrinks when the process is idle. With a factor of 1 it would stay small.
  setFlagsFromString(`--semi-space-growth-factor=${isLarge ? 1 : 2}`);
});

/**
 * Limits the garbage in memory: the young generation stops growing at about 16 MiB, and the old one
 * is collected when it has grown by half since the last time. V8 would let them grow to 128 MiB and
 * to four times their live size. Other limits of V8 cannot be set after the start.
 *
 * Flags belong to the whole process, so only the program sets them, and no host's process has them.
 */
export const layer = Layer.effectDiscard(
  Effect.sync(() => setFlagsFromString("--heap-growing-percent=50")).pipe(
    Effect.andThen(
      limitYoung.pipe(Effect.repeat(Schedule.spaced("100 millis")), Effect.forkScoped),
    ),
  ),
);
