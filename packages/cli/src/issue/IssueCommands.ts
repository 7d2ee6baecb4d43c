import { Command } from "effect/cli";
import * as IssueChangeCommands from "./IssueChangeCommands.ts";
import * as IssueReadCommands from "./IssueReadCommands.ts";

/** `quartermaster issue ...`. */
export const command = Command.make("issue").pipe(
  Command.withDescription("List, create and change issues."),
  Command.withSubcommands([...IssueReadCommands.commands, ...IssueChangeCommands.commands]),
);
