import { Effect } from "effect";
import { Command } from "effect/cli";
import * as AdminCommands from "./cli/admin/AdminCommands.ts";
import * as AskCommands from "./cli/ask/AskCommands.ts";
import * as IssueCommands from "./cli/issue/IssueCommands.ts";
import * as ServerCommands from "./cli/server/ServerCommands.ts";
import * as SessionCommands from "./cli/SessionCommands.ts";
import * as ToolCommands from "./cli/tool/ToolCommands.ts";
import * as UsageErrors from "./cli/UsageErrors.ts";
import * as WorkCommand from "./cli/work/WorkCommand.ts";
import * as LocalCommands from "./local/LocalCommands.ts";
import * as Help from "./server/Help.ts";
import { Version } from "./server/Version.ts";

/** All commands. */
export const command = (version: string) =>
  Command.make("quartermaster").pipe(
    Command.withDescription(Help.quartermaster),
    Command.withSubcommands([
      ...LocalCommands.commands(version),
      ...SessionCommands.commands,
      IssueCommands.command,
      WorkCommand.command,
      AskCommands.command,
      ServerCommands.command,
      ToolCommands.command,
      ...AdminCommands.commands,
    ]),
  );

/** `quartermaster` with the arguments of `Stdio`. `bin.ts` runs it as a process, tests in theirs. */
export const run = (version: string) =>
  command(version).pipe(
    Command.run({ version }),
    Effect.provide(UsageErrors.layer),
    Effect.provideService(Version, version),
  );
