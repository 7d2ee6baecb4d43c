import { Command, Flag } from "effect/cli";
import { allProjects, connection, described, example, lazily } from "../Options.ts";

/** `quartermaster status`. Its code is in `Status.ts`. */

export const command = Command.make(
  "status",
  {
    ...connection,
    project: Flag.String("project").pipe(
      Flag.withDescription(
        "Only items of this project, without MCP servers; repeatable. Default: the project of `quartermaster use`",
      ),
      Flag.atLeast(0),
    ),
    allProjects,
  },
  lazily(() => import("../status/Status.ts").then(({ run }) => run)),
).pipe(
  described(
    "Print what needs attention",
    "It lists what waits for a person, most urgent first: open questions, reviews, mentions of you, failed issues, blocked chains with the reason, silent agents, and for Admins MCP servers that are down. Then it lists the running issues.",
  ),
  example("status --project shop", "Print what needs attention in a project"),
);
