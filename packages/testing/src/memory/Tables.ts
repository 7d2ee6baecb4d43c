import type {
  Activity,
  Agent,
  ApiKey,
  Attachment,
  CallBodyStore,
  CatalogEntry,
  Comment,
  EffectSlot,
  EffectStore,
  Event,
  IdempotencyStore,
  AccessEntry,
  InstalledServer,
  Issue,
  IssueLink,
  Project,
  Question,
  Run,
  RunLogStore,
  Session,
  StatsStore,
  Tool,
  ToolCall,
  UsageStore,
} from "@quartermaster/core";
import { Table } from "./Table.ts";

/** An agent's access to a server. */
export interface ServerAccess extends AccessEntry.StoredAccess {
  readonly serverId: string;
}

/** All stored data. */
export interface Tables {
  readonly access: Table<ServerAccess>;
  readonly activity: Table<Activity.ActivityRow>;
  readonly admittedCalls: Table<ToolCall.AdmittedCallRow>;
  readonly agents: Table<Agent.AgentRow>;
  readonly attachments: Table<Attachment.AttachmentRow>;
  readonly callBodies: Table<CallBodyStore.CallBody>;
  readonly catalogEntries: Table<{
    readonly seq: number;
    readonly entry: CatalogEntry.CatalogEntry;
  }>;
  readonly comments: Table<Comment.CommentRow>;
  readonly contents: Table<Uint8Array>;
  readonly discarded: Table<true>;
  readonly effectIssues: Table<EffectStore.EffectIssue>;
  readonly effects: Table<EffectSlot.EffectSlot>;
  readonly endedSessions: Table<{ readonly keyId: string; readonly nonce: string }>;
  readonly events: Table<Event.EventRow>;
  readonly idempotency: Table<IdempotencyStore.IdempotencyRow>;
  readonly issues: Table<Issue.IssueRow>;
  readonly keys: Table<ApiKey.ApiKeyRow>;
  readonly links: Table<IssueLink.LinkRow>;
  readonly pausedProjects: Table<true>;
  /** Only projects with a value other than `resolve`. */
  readonly agentsMay: Table<Project.AgentsMay>;
  readonly questions: Table<Question.QuestionRow>;
  readonly runLogChunks: Table<RunLogStore.LogChunk>;
  readonly runNotes: Table<RunLogStore.NoteRow & { readonly seq: number }>;
  readonly runLogs: Table<RunLogStore.RunLogRow>;
  readonly runs: Table<Run.RunRow>;
  readonly secrets: Table<InstalledServer.SecretRow>;
  readonly servers: Table<InstalledServer.InstalledServerRow>;
  readonly sessions: Table<Session.SessionRow>;
  readonly statsCursors: Table<number>;
  readonly statsRows: Table<StatsStore.StatsRow>;
  readonly toolCalls: Table<ToolCall.ToolCallRow>;
  readonly tools: Table<ReadonlyArray<Tool.ToolRow>>;
  readonly usageReports: Table<UsageStore.ReportRow>;
  readonly usageRows: Table<UsageStore.UsageRow>;
  readonly usageSessions: Table<UsageStore.SessionRow>;
}

/** Tables on top of others; empty tables for null. */
export const over = (below: Tables | null): Tables => ({
  access: new Table(below?.access),
  activity: new Table(below?.activity),
  admittedCalls: new Table(below?.admittedCalls),
  agents: new Table(below?.agents),
  attachments: new Table(below?.attachments),
  callBodies: new Table(below?.callBodies),
  catalogEntries: new Table(below?.catalogEntries),
  comments: new Table(below?.comments),
  contents: new Table(below?.contents),
  discarded: new Table(below?.discarded),
  effectIssues: new Table(below?.effectIssues),
  effects: new Table(below?.effects),
  endedSessions: new Table(below?.endedSessions),
  events: new Table(below?.events),
  idempotency: new Table(below?.idempotency),
  issues: new Table(below?.issues),
  keys: new Table(below?.keys),
  links: new Table(below?.links),
  pausedProjects: new Table(below?.pausedProjects),
  agentsMay: new Table(below?.agentsMay),
  questions: new Table(below?.questions),
  runLogChunks: new Table(below?.runLogChunks),
  runNotes: new Table(below?.runNotes),
  runLogs: new Table(below?.runLogs),
  runs: new Table(below?.runs),
  secrets: new Table(below?.secrets),
  servers: new Table(below?.servers),
  sessions: new Table(below?.sessions),
  statsCursors: new Table(below?.statsCursors),
  statsRows: new Table(below?.statsRows),
  toolCalls: new Table(below?.toolCalls),
  tools: new Table(below?.tools),
  usageReports: new Table(below?.usageReports),
  usageRows: new Table(below?.usageRows),
  usageSessions: new Table(below?.usageSessions),
});

/** Merges the changes of every table into the table below. */
export const merge = (tables: Tables): void => {
  for (const table of Object.values(tables)) {
    table.merge();
  }
};
