import { Argument, Command, Flag } from "effect/cli";
import { connection, described, example, lazily, limit } from "../Options.ts";

/** `quartermaster run ...`. The code of the commands is in `Records.ts`. */

const records = () => import("./Records.ts");

const run = Argument.String("run").pipe(Argument.withDescription("The id of the run"));

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
        issue: filter("issue"),
      },
      lazily(() => records().then(({ list }) => list)),
    ).pipe(described("List runs, newest first"), example("run list", "List the newest runs")),
    Command.make(
      "show",
      { ...connection, run },
      lazily(() => records().then(({ show }) => show)),
    ).pipe(
      described("Print a run, its timeline and its failed calls"),
      example("run show run_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Print a run"),
    ),
    Command.make(
      "log",
      {
        ...connection,
        run,
        follow: Flag.Boolean("follow").pipe(
          Flag.withDefault(false),
          Flag.withDescription("Print new entries until the run ends"),
        ),
      },
      lazily(() => records().then(({ log }) => log)),
    ).pipe(
      described("Print the log of a run"),
      example("run log run_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA --follow", "Follow the log of a run"),
    ),
  ]),
);
