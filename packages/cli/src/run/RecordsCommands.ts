import { Argument, Command, Flag } from "effect/cli";
import {
  allProjects,
  connection,
  described,
  example,
  lazily,
  limit,
  listAlias,
} from "../Options.ts";

/** `quartermaster run ...`. The code of the commands is in `Records.ts`. */

const records = () => import("./Records.ts");

const run = Argument.String("run").pipe(
  Argument.withDescription("The id of the run, or the key of an issue for its newest run"),
);

const filter = (name: string) =>
  Flag.String(name).pipe(Flag.optional, Flag.withDescription(`Only runs of this ${name}`));

export const command = Command.make("run").pipe(
  described("List runs, and print what happened in them"),
  Command.withSubcommands([
    Command.make(
      "list",
      {
        ...connection,
        limit,
        agent: filter("agent"),
        project: filter("project"),
        allProjects,
        issue: filter("issue"),
      },
      lazily(() => records().then(({ list }) => list)),
    ).pipe(
      listAlias,
      described("List runs, newest first"),
      example("run list", "List the newest runs"),
    ),
    Command.make(
      "show",
      { ...connection, run },
      lazily(() => records().then(({ show }) => show)),
    ).pipe(
      described("Print a run, its timeline and its failed calls"),
      example("run show SHOP-142", "Print the newest run of an issue"),
    ),
    Command.make(
      "open",
      { ...connection, run },
      lazily(() => records().then(({ open }) => open)),
    ).pipe(
      described("Print the address of a run's page, and open it on a terminal"),
      example("run open SHOP-142", "Open the newest run of an issue"),
    ),
    Command.make(
      "log",
      {
        ...connection,
        run,
        follow: Flag.Boolean("follow").pipe(
          Flag.withAlias("f"),
          Flag.withDefault(false),
          Flag.withDescription("Print new entries until the run ends"),
        ),
      },
      lazily(() => records().then(({ log }) => log)),
    ).pipe(
      described("Print the log of a run"),
      example("run log SHOP-142 -f", "Follow the log of the newest run of an issue"),
    ),
  ]),
);
