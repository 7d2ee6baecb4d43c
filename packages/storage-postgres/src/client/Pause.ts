import { Effect } from "effect";

/**
 * Sleeps by the real clock, even under a test clock. Each wait for a connection interrupts one, so it has no
 * `AbortSignal`: the error of an aborted one has a stack trace.
 */
export const pause = (millis: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    // oxlint-disable-next-line no-restricted-globals -- other processes and the disk do not follow a test's clock
    const timer = setTimeout(() => resume(Effect.void), millis);
    return Effect.sync(() => clearTimeout(timer));
  });
