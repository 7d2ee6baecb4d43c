import * as AgentsCommands from "./agent/AgentsCommands.ts";
import * as QuestionsCommands from "./ask/QuestionsCommands.ts";
import * as AuditCommands from "./audit/AuditCommands.ts";
import * as CommentsCommands from "./comment/CommentsCommands.ts";
import * as DemoCommands from "./demo/DemoCommands.ts";
import * as EffectsCommands from "./effects/EffectsCommands.ts";
import * as EventsCommands from "./events/EventsCommands.ts";
import * as InboxCommands from "./inbox/InboxCommands.ts";
import * as IssueCommands from "./issue/IssueCommands.ts";
import * as KeysCommands from "./key/KeysCommands.ts";
import * as LoginCommands from "./login/LoginCommands.ts";
import * as ServerCommands from "./mcpServers/ServerCommands.ts";
import * as OpenCommands from "./open/OpenCommands.ts";
import * as ProjectsCommands from "./project/ProjectsCommands.ts";
import * as RecordsCommands from "./run/RecordsCommands.ts";
import * as StatusCommands from "./status/StatusCommands.ts";
import * as ToolsCommands from "./tool/ToolsCommands.ts";
import * as UsageCommands from "./usage/UsageCommands.ts";
import * as ViewsCommands from "./view/ViewsCommands.ts";
import * as WebhooksCommands from "./webhook/WebhooksCommands.ts";
import * as WorkCommands from "./work/WorkCommands.ts";

/** The commands that call a server over HTTP, in the order of the help. */
export const commands = [
  ...LoginCommands.commands,
  ProjectsCommands.use,
  ...IssueCommands.short,
  IssueCommands.command,
  CommentsCommands.command,
  ViewsCommands.command,
  ProjectsCommands.command,
  OpenCommands.command,
  WorkCommands.command,
  InboxCommands.command,
  QuestionsCommands.command,
  ServerCommands.command,
  ToolsCommands.command,
  StatusCommands.command,
  AgentsCommands.command,
  RecordsCommands.command,
  EffectsCommands.command,
  UsageCommands.command,
  KeysCommands.command,
  AuditCommands.command,
  EventsCommands.command,
  WebhooksCommands.command,
  DemoCommands.command,
] as const;
