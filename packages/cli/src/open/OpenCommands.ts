import { Argument, Command } from "effect/cli";
import { connection, described, example, lazily } from "../Options.ts";

/** `quartermaster open`. Its code is in `Open.ts`. */

export const command = Command.make(
  "open",
  {
    ...connection,
    issue: Argument.String("issue").pipe(
      Argument.withDescription("The key or id of an issue. Default: the inbox"),
      Argument.optional,
    ),
  },
  lazily(() => import("./Open.ts").then(({ open }) => open)),
).pipe(
  described(
    "Print a sign-in link to the dashboard or to an issue, and open it on a terminal",
    "The link works once, within 5 minutes. It needs a key with the role Admin, or the Owner key in QM_DATA_DIR (default: .quartermaster), which is only sent to this machine. With another key it is an address without sign-in.",
  ),
  example("open SHOP-142", "Sign in, and open an issue in the browser"),
);
