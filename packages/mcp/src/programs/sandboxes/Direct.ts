import { Effect } from "effect";
import type { Limited } from "./Limited.ts";
import type { Launcher } from "./Sandboxes.ts";

/**
 * Runs the program without a sandbox, but with limits. It can access whatever the service's user
 * can.
 */
export const make = (limited: Limited): Launcher => ({
  detect: Effect.succeed({ detected: true }),
  wrap: ({ args, command, env, folder }, limits) =>
    Effect.succeed({ ...limited({ command, args }, limits, false), env, cwd: folder }),
});
