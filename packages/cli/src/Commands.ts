import * as AgentsCommands from "./agent/AgentsCommands.ts";
import * as QuestionsCommands from "./ask/QuestionsCommands.ts";
import * as EffectsCommands from "./effects/EffectsCommands.ts";
import * as EventsCommands from "./events/EventsCommands.ts";
import * as IssueCommands from "./issue/IssueCommands.ts";
import * as KeysCommands from "./key/KeysCommands.ts";
import * as LoginCommands from "./login/LoginCommands.ts";
import * as ServerCommands from "./mcpServers/ServerCommands.ts";
import * as RecordsCommands from "./run/RecordsCommands.ts";
import * as StatusCommands from "./status/StatusCommands.ts";
import * as ToolsCommands from "./tool/ToolsCommands.ts";
import * as UsageCommands from "./usage/UsageCommands.ts";
import * as WorkCommands from "./work/WorkCommands.ts";

/** The commands that call a server over HTTP, in the order of the help. */
export const commands = [
  ...LoginCommands.commands,
  IssueCommands.command,
  WorkCommands.command,
  QuestionsCommands.command,
  ServerCommands.command,
  ToolsCommands.command,
  StatusCommands.command,
  AgentsCommands.command,
  RecordsCommands.command,
  EffectsCommands.command,
  UsageCommands.command,
  KeysCommands.command,
  EventsCommands.command,
] as const;
