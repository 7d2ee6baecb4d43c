import { Command, Flag } from "effect/cli";
import { connection, described, example, lazily, text } from "../Options.ts";

/** `quartermaster events`. Its code is in `Events.ts`. */

export const command = Command.make(
  "events",
  {
    ...connection,
    follow: Flag.Boolean("follow").pipe(
      Flag.withDescription("Print events as they happen until you stop the command"),
      Flag.withDefault(false),
    ),
    since: text("since", "Start after the event with this id"),
    project: text("project", "Only events of this project"),
    kinds: text("kinds", "Only these kinds, separated by commas, such as issue.created or issue.*"),
  },
  lazily(() => import("../events/Events.ts").then(({ run }) => run)),
).pipe(
  described(
    "Print events",
    "Without --follow, --since is required, and the command exits after the newest event. With --json each line is one document.",
  ),
  example("events --follow --kinds issue.*", "Follow the events of issues"),
);
