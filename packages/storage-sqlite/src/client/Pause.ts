// oxlint-disable-next-line no-restricted-imports -- other processes and the disk do not follow a test's clock
import { setTimeout } from "node:timers/promises";
import { Effect } from "effect";

/** Sleeps by the real clock, even under a test clock. */
export const pause = (millis: number): Effect.Effect<void> =>
  Effect.promise((signal) => setTimeout(millis, undefined, { signal }));
