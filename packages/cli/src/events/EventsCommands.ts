import { Command, Flag } from "effect/cli";
import { allProjects, connection, described, example, lazily, text } from "../Options.ts";

/** `quartermaster events`. Its code is in `Events.ts`. */

export const command = Command.make(
  "events",
  {
    ...connection,
    follow: Flag.Boolean("follow").pipe(
      Flag.withAlias("f"),
      Flag.withDescription("Print events as they happen until you stop the command"),
      Flag.withDefault(false),
    ),
    since: text(
      "since",
      "Start at this time: a duration before now such as 10m, a time in ISO 8601, or after the event with this id",
    ),
    project: text(
      "project",
      "Only events of this project. Default: the project of `quartermaster use`",
    ),
    allProjects,
    kinds: text("kinds", "Only these kinds, separated by commas, such as issue.created or issue.*"),
  },
  lazily(() => import("../events/Events.ts").then(({ run }) => run)),
).pipe(
  described(
    "Print events",
    "Without --follow the command exits after the newest event; without --since as well it prints the newest 50 events. With --json each line is one document.",
  ),
  example("events", "Print the newest 50 events, oldest first"),
  example(
    "events --since 10m --kinds issue.*",
    "Print the events of issues in the last 10 minutes",
  ),
);
