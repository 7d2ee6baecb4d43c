import * as AdminCommands from "./admin/AdminCommands.ts";
import * as AskCommands from "./ask/AskCommands.ts";
import * as IssueCommands from "./issue/IssueCommands.ts";
import * as ServerCommands from "./server/ServerCommands.ts";
import * as SessionCommands from "./SessionCommands.ts";
import * as ToolCommands from "./tool/ToolCommands.ts";
import * as WorkCommand from "./work/WorkCommand.ts";

/** The commands that talk to a server over HTTP, in the order of the help. */
export const commands = [
  ...SessionCommands.commands,
  IssueCommands.command,
  WorkCommand.command,
  AskCommands.command,
  ServerCommands.command,
  ToolCommands.command,
  ...AdminCommands.commands,
] as const;
