import { Effect } from "effect";
import { Command } from "effect/cli";
import * as AdminCommands from "./cli/admin/AdminCommands.ts";
import * as IssueCommands from "./cli/issue/IssueCommands.ts";
import * as SessionCommands from "./cli/SessionCommands.ts";
import * as WorkCommand from "./cli/work/WorkCommand.ts";
import * as LocalCommands from "./local/LocalCommands.ts";
import * as Help from "./server/Help.ts";
import { Version } from "./server/Version.ts";

/** `quartermaster` with the arguments of `Stdio`. `bin.ts` runs it as a process, tests in theirs. */
export const run = (version: string) =>
  Command.make("quartermaster").pipe(
    Command.withDescription(Help.quartermaster),
    Command.withSubcommands([
      ...LocalCommands.commands(version),
      ...SessionCommands.commands,
      IssueCommands.command,
      WorkCommand.command,
      ...AdminCommands.commands,
    ]),
    Command.run({ version }),
    Effect.provideService(Version, version),
  );
