/* oxlint-disable no-restricted-globals -- flags of V8 belong to this process, and depend on its version. */
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { Effect, Layer, Schedule } from "effect";

/** The size at which the young generation stops growing, in bytes. */
const youngLimit = 8 * 1024 * 1024;

/** V8 reads the factor each time that it grows the young generation. */
const setGrowth = (factor: 1 | 2) => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

const limitYoung = Effect.sync(() => {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  // It shrinks when the process is idle. With a factor of 1 it would stay small.
  setGrowth((young?.space_size ?? 0) < youngLimit ? 2 : 1);
});

/**
 * With the second flag V8 returns the pages that it freed: 163 to 198 MiB during a load instead of 207 to 294. V8 of Node
 * 22 does not have it. While the server is loaded, either would cost a collection of all that has been loaded.
 */
const limitOld = Effect.delay(
  Effect.sync(() => {
    setFlagsFromString("--heap-growing-percent=100");
    if (Number.parseInt(process.versions.v8) >= 13) setFlagsFromString("--memory-saver-mode");
  }),
  "5 seconds",
);

/**
 * Limits the garbage in memory: the young generation stops growing at 8 to 16 MiB, and the old one
 * is collected when it has doubled since the last time. V8 would let them grow to 128 MiB and to four
 * times their live size. Other limits of V8 cannot be set after the start.
 *
 * Flags belong to the whole process, so only the program sets them, and no host's process has them.
 */
export const layer = Layer.effectDiscard(
  Effect.sync(() => {
    // Loading the server would let it grow to 32 MiB before the first check.
    setGrowth(1);
  }).pipe(
    Effect.andThen(
      limitYoung.pipe(Effect.schedule(Schedule.spaced("100 millis")), Effect.forkScoped),
    ),
    Effect.andThen(Effect.forkScoped(limitOld)),
  ),
);
