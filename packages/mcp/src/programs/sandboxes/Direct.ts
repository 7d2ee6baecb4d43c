import { Effect } from "effect";
import type { Limited } from "./Limited.ts";
import type { Layer } from "./Sandboxes.ts";

/** The program as it is, with limits: it reaches what the service's user may. */
export const make = (limited: Limited): Layer => ({
  detect: Effect.succeed({ detected: true }),
  wrap: ({ args, command, env, folder }, limits) =>
    Effect.succeed({ ...limited({ command, args }, limits, false), env, cwd: folder }),
});
