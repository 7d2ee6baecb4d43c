import { Command } from "effect/cli";
import { connection, described, example, lazily, limit, listAlias } from "../Options.ts";

/** `quartermaster view ...`. Its code is in `Views.ts`. */

const list = Command.make(
  "list",
  { ...connection, limit },
  lazily(() => import("./Views.ts").then(({ list }) => list)),
).pipe(
  listAlias,
  described("List saved views: your own, and views of projects"),
  example("view list", "List saved views"),
);

export const command = Command.make("view").pipe(
  described("List saved views of issues", "`issue list --view NAME` lists the issues of one."),
  Command.withSubcommands([list]),
);
