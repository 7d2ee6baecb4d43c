import { Command, Flag } from "effect/cli";
import { connection, described, example, lazily } from "../Options.ts";

/** `quartermaster demo`. Its code is in `Demo.ts`. */

export const command = Command.make(
  "demo",
  {
    ...connection,
    pace: Flag.String("pace").pipe(
      Flag.withDescription(
        "How long an agent takes for each of the 4 steps of an issue. Default: 3s",
      ),
      Flag.withDefault("3s"),
    ),
    remove: Flag.Boolean("remove").pipe(
      Flag.withDescription(
        "Remove the sample issues, with everything on them, the agents, and the project if it has no other issues",
      ),
      Flag.withDefault(false),
    ),
  },
  lazily(() =>
    import("./Demo.ts").then(
      ({ remove, run }) =>
        (flags: Parameters<typeof run>[0] & { readonly remove: boolean }) =>
          flags.remove ? remove(flags) : run(flags),
    ),
  ),
).pipe(
  described(
    "Fill the project demo with sample issues, and work on them as three agents",
    "Three scripted agents work on 40 issues until you stop the command: they ask, fail, attach files and hand in for review. Other issues of the project stay as they are. Uses the key of an Admin, or the Owner key as `open` does.",
  ),
  example("demo", "Fill the dashboard with sample data"),
);
