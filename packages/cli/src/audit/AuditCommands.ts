import { Command } from "effect/cli";
import { connection, described, example, lazily, limit, text } from "../Options.ts";

/** `quartermaster audit`. Its code is in `Audit.ts`. */

export const command = Command.make(
  "audit",
  {
    ...connection,
    limit,
    action: text("action", "Only these actions, separated by commas, such as key.created"),
    actor: text("actor", "Only changes by the user or agent with this id"),
    from: text("from", "From this time on: ISO 8601, or a duration before now such as 7d"),
    to: text("to", "Before this time: ISO 8601, or a duration before now such as 1d"),
  },
  lazily(() => import("./Audit.ts").then(({ list }) => list)),
).pipe(
  described(
    "Print who changed keys, access, servers and settings",
    "Newest first. Also lists sign-ins. An entry names what changed, never the values. Requires the role Admin, bound to no project.",
  ),
  example(
    "audit --from 7d --action key.created,key.deleted",
    "Print the changes of keys in the last 7 days",
  ),
);
