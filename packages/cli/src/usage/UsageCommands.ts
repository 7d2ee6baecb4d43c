import { Command, Flag } from "effect/cli";
import {
  allProjects,
  connection,
  described,
  example,
  lazily,
  limit,
  oneOf,
  text,
} from "../Options.ts";

/** `quartermaster usage`. Its code is in `Usage.ts`. */

export const command = Command.make(
  "usage",
  {
    ...connection,
    limit,
    by: oneOf("by", ["agent", "project", "model", "issue", "day"], "The groups").pipe(
      Flag.withDefault("day" as const),
    ),
    from: text("from", "From this time on: ISO 8601, or a duration before now such as 7d"),
    to: text("to", "Before this time: ISO 8601, or a duration before now such as 1d"),
    agent: text("agent", "Only usage of this agent"),
    project: text(
      "project",
      "Only usage of this project. Default: the project of `quartermaster use`",
    ),
    allProjects,
  },
  lazily(() => import("./Usage.ts").then(({ list }) => list)),
).pipe(
  described(
    "Print the tokens and the cost that runs reported",
    "The last line has the totals of the printed groups. A cost that ends in + is only a part: some requests have no known cost. Usage is counted by the hour.",
  ),
  example("usage --by agent --from 7d", "Print the usage of each agent in the last 7 days"),
);
