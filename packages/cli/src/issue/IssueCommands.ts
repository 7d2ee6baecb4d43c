import { Command } from "effect/cli";
import { described } from "../Options.ts";
import * as IssueChangesCommands from "./IssueChangesCommands.ts";
import * as IssueReadsCommands from "./IssueReadsCommands.ts";

/** `quartermaster ls`, `new` and `show`: the short forms of `issue list`, `create` and `show`. */
export const short = [...IssueReadsCommands.short, IssueChangesCommands.short] as const;

/** `quartermaster issue ...`. */
export const command = Command.make("issue").pipe(
  described("List, create and change issues"),
  Command.withSubcommands([...IssueReadsCommands.commands, ...IssueChangesCommands.commands]),
);
