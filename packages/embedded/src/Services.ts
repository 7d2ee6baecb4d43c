import {
  Agents,
  Attachments,
  Authorizations,
  CatalogEntries,
  Comments,
  EventLog,
  Imports,
  Inbox,
  IssueEffects,
  Issues,
  Keys,
  Links,
  McpServers,
  Projects,
  Questions,
  RunLogs,
  RunRecords,
  Runs,
  RunUsage,
  SavedViews,
  Search,
  Stats,
  ToolGateway,
} from "@quartermaster/core";
import { Effect } from "effect";
import { type Files, files } from "./Files.ts";
import { type Exit, type Promised, promised } from "./Promised.ts";

/** The core services behind the promises. */
export const core = Effect.all({
  agents: Agents.Agents,
  attachments: Attachments.Attachments,
  authorizations: Authorizations.Authorizations,
  catalog: CatalogEntries.CatalogEntries,
  comments: Comments.Comments,
  effects: IssueEffects.IssueEffects,
  events: EventLog.EventLog,
  imports: Imports.Imports,
  inbox: Inbox.Inbox,
  issues: Issues.Issues,
  keys: Keys.Keys,
  links: Links.Links,
  projects: Projects.Projects,
  questions: Questions.Questions,
  runLogs: RunLogs.RunLogs,
  runRecords: RunRecords.RunRecords,
  runs: Runs.Runs,
  runUsage: RunUsage.RunUsage,
  servers: McpServers.McpServers,
  search: Search.Search,
  views: SavedViews.SavedViews,
  stats: Stats.Stats,
  tools: ToolGateway.ToolGateway,
});

type Core = Effect.Success<typeof core>;

/** The tools. `call` leaves out the options that are effects: only the agent's own loop uses them. */
interface Tools extends Pick<Core["tools"], "list" | "calls" | "callsOf" | "recordOf"> {
  call(
    ...args: [agentId: string, input: Parameters<Core["tools"]["call"]>[1]]
  ): ReturnType<Core["tools"]["call"]>;
}

/** The services of core with promises, without methods that only other services call. */
export interface Services {
  readonly issues: Promised<Core["issues"]>;
  readonly links: Promised<Pick<Core["links"], "create" | "list" | "remove">>;
  readonly comments: Promised<Core["comments"]>;
  readonly projects: Promised<Core["projects"]>;
  /** Items that need a person. */
  readonly inbox: Promised<Core["inbox"]>;
  readonly search: Promised<Core["search"]>;
  /** Lists of issues that are saved under a name. */
  readonly views: Promised<Core["views"]>;
  readonly stats: Promised<Pick<Core["stats"], "agents" | "get">>;
  readonly questions: Promised<Omit<Core["questions"], "expireDue">>;
  readonly attachments: Files;
  readonly agents: Promised<Pick<Core["agents"], "get" | "list" | "put" | "remove">>;
  /** Heartbeats, turns and hand-ins. `Quartermaster.agent` is a complete loop over them. */
  readonly runs: Promised<Pick<Core["runs"], "heartbeat" | "turn" | "finish" | "list">>;
  readonly runLogs: Promised<Pick<Core["runLogs"], "append" | "read">>;
  /** All runs, and what happened in one. */
  readonly runRecords: Promised<Core["runRecords"]>;
  /** Reported tokens and cost. */
  readonly usage: Promised<Pick<Core["runUsage"], "report" | "ofIssue" | "list">>;
  /** Calls that happen once per issue, and the decisions on calls whose reply was lost. */
  readonly effects: Promised<Pick<Core["effects"], "list" | "settle" | "reset">>;
  readonly events: Promised<Pick<Core["events"], "recent" | "subscribe">>;
  /** API keys for a server on the same directory. */
  readonly keys: Promised<Pick<Core["keys"], "create" | "list" | "names" | "remove">>;
  /** Installed MCP servers. */
  readonly servers: Promised<Core["servers"]>;
  /** Catalog entries, from which MCP servers are installed. */
  readonly catalog: Promised<Core["catalog"]>;
  readonly imports: Promised<Core["imports"]>;
  readonly authorizations: Promised<Core["authorizations"]>;
  readonly tools: Promised<Tools>;
}

export const services = (core: Core, exit: Exit): Services => ({
  issues: promised(core.issues, exit),
  links: promised<Pick<Core["links"], "create" | "list" | "remove">>(core.links, exit),
  comments: promised(core.comments, exit),
  projects: promised(core.projects, exit),
  inbox: promised(core.inbox, exit),
  search: promised(core.search, exit),
  views: promised(core.views, exit),
  stats: promised<Pick<Core["stats"], "agents" | "get">>(core.stats, exit),
  questions: promised<Omit<Core["questions"], "expireDue">>(core.questions, exit),
  attachments: files(core.attachments, exit),
  agents: promised<Pick<Core["agents"], "get" | "list" | "put" | "remove">>(core.agents, exit),
  runs: promised<Pick<Core["runs"], "heartbeat" | "turn" | "finish" | "list">>(core.runs, exit),
  runLogs: promised<Pick<Core["runLogs"], "append" | "read">>(core.runLogs, exit),
  runRecords: promised(core.runRecords, exit),
  usage: promised<Pick<Core["runUsage"], "report" | "ofIssue" | "list">>(core.runUsage, exit),
  effects: promised<Pick<Core["effects"], "list" | "settle" | "reset">>(core.effects, exit),
  events: promised<Pick<Core["events"], "recent" | "subscribe">>(core.events, exit),
  keys: promised<Pick<Core["keys"], "create" | "list" | "names" | "remove">>(core.keys, exit),
  servers: promised(core.servers, exit),
  catalog: promised(core.catalog, exit),
  imports: promised(core.imports, exit),
  authorizations: promised(core.authorizations, exit),
  tools: promised<Pick<Tools, keyof Tools>>(core.tools, exit),
});
