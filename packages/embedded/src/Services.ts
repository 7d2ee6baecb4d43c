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
  events: EventLog.EventLog,
  imports: Imports.Imports,
  inbox: Inbox.Inbox,
  issueEffects: IssueEffects.IssueEffects,
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
  stats: Stats.Stats,
  tools: ToolGateway.ToolGateway,
});

type Core = Effect.Success<typeof core>;

/** The tools. `call` leaves out the options that are effects: only the agent's own loop uses them. */
interface Tools extends Pick<Core["tools"], "list" | "calls"> {
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
  readonly stats: Promised<Pick<Core["stats"], "get">>;
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
  readonly events: Promised<Pick<Core["events"], "subscribe">>;
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
  stats: promised<Pick<Core["stats"], "get">>(core.stats, exit),
  questions: promised<Omit<Core["questions"], "expireDue">>(core.questions, exit),
  attachments: files(core.attachments, exit),
  agents: promised<Pick<Core["agents"], "get" | "list" | "put" | "remove">>(core.agents, exit),
  runs: promised<Pick<Core["runs"], "heartbeat" | "turn" | "finish" | "list">>(core.runs, exit),
  runLogs: promised<Pick<Core["runLogs"], "append" | "read">>(core.runLogs, exit),
  runRecords: promised(core.runRecords, exit),
  usage: promised<Pick<Core["runUsage"], "report" | "ofIssue" | "list">>(core.runUsage, exit),
  events: promised<Pick<Core["events"], "subscribe">>(core.events, exit),
  keys: promised<Pick<Core["keys"], "create" | "list" | "names" | "remove">>(core.keys, exit),
  servers: promised(core.servers, exit),
  catalog: promised(core.catalog, exit),
  imports: promised(core.imports, exit),
  authorizations: promised(core.authorizations, exit),
  tools: promised<Pick<Tools, "list" | "calls" | "call">>(core.tools, exit),
});
