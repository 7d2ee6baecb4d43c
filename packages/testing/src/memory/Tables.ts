import type {
  Activity,
  Agent,
  ApiKey,
  Attachment,
  AuditEntry,
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
  MentionStore,
  ProcessLeaseStore,
  Project,
  Question,
  Run,
  RunLogStore,
  SavedView,
  Session,
  SnoozeStore,
  StatsStore,
  Tool,
  ToolCall,
  UsageStore,
  VersionStore,
  Webhook,
  WebhookDelivery,
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
  readonly auditEntries: Table<AuditEntry.AuditRow>;
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
  /** The last number of each project. */
  readonly issueNumbers: Table<number>;
  /** The issue of each number in a project that it left, by `formerKey`. */
  readonly formerNumbers: Table<string>;
  readonly mentions: Table<MentionStore.Mention>;
  readonly pausedProjects: Table<true>;
  /** The project of each prefix. */
  readonly prefixes: Table<string>;
  readonly processLeases: Table<ProcessLeaseStore.ProcessLease>;
  /** Only projects with a value other than `resolve`. */
  readonly agentsMay: Table<Project.AgentsMay>;
  readonly projects: Table<Project.ProjectRow>;
  readonly questions: Table<Question.QuestionRow>;
  readonly runLogChunks: Table<RunLogStore.LogChunk>;
  readonly runNotes: Table<RunLogStore.NoteRow & { readonly seq: number }>;
  readonly runTurns: Table<RunLogStore.TurnRow & { readonly seq: number }>;
  readonly runLogs: Table<RunLogStore.RunLogRow>;
  readonly runs: Table<Run.RunRow>;
  readonly savedViews: Table<SavedView.SavedViewRow>;
  readonly secrets: Table<InstalledServer.SecretRow>;
  readonly servers: Table<InstalledServer.InstalledServerRow>;
  readonly sessions: Table<Session.SessionRow>;
  readonly snoozes: Table<SnoozeStore.Snooze>;
  readonly statsCursors: Table<number>;
  readonly statsRows: Table<StatsStore.StatsRow>;
  readonly toolCalls: Table<ToolCall.ToolCallRow>;
  readonly tools: Table<ReadonlyArray<Tool.ToolRow>>;
  readonly usageReports: Table<UsageStore.ReportRow>;
  readonly usageRows: Table<UsageStore.UsageRow>;
  readonly usageSessions: Table<UsageStore.SessionRow>;
  readonly versions: Table<VersionStore.VersionRow>;
  readonly webhookDeliveries: Table<WebhookDelivery.DeliveryRow>;
  readonly webhooks: Table<Webhook.WebhookRow>;
  readonly webhookSecrets: Table<Webhook.WebhookSecretRow>;
}

/** Tables on top of others; empty tables for null. */
export const over = (below: Tables | null): Tables => ({
  access: new Table(below?.access),
  activity: new Table(below?.activity),
  admittedCalls: new Table(below?.admittedCalls),
  agents: new Table(below?.agents),
  attachments: new Table(below?.attachments),
  auditEntries: new Table(below?.auditEntries),
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
  issueNumbers: new Table(below?.issueNumbers),
  formerNumbers: new Table(below?.formerNumbers),
  mentions: new Table(below?.mentions),
  pausedProjects: new Table(below?.pausedProjects),
  prefixes: new Table(below?.prefixes),
  processLeases: new Table(below?.processLeases),
  agentsMay: new Table(below?.agentsMay),
  projects: new Table(below?.projects),
  questions: new Table(below?.questions),
  runLogChunks: new Table(below?.runLogChunks),
  runNotes: new Table(below?.runNotes),
  runTurns: new Table(below?.runTurns),
  runLogs: new Table(below?.runLogs),
  runs: new Table(below?.runs),
  savedViews: new Table(below?.savedViews),
  secrets: new Table(below?.secrets),
  servers: new Table(below?.servers),
  sessions: new Table(below?.sessions),
  snoozes: new Table(below?.snoozes),
  statsCursors: new Table(below?.statsCursors),
  statsRows: new Table(below?.statsRows),
  toolCalls: new Table(below?.toolCalls),
  tools: new Table(below?.tools),
  usageReports: new Table(below?.usageReports),
  usageRows: new Table(below?.usageRows),
  usageSessions: new Table(below?.usageSessions),
  versions: new Table(below?.versions),
  webhookDeliveries: new Table(below?.webhookDeliveries),
  webhooks: new Table(below?.webhooks),
  webhookSecrets: new Table(below?.webhookSecrets),
});

/** Merges the changes of every table into the table below. */
export const merge = (tables: Tables): void => {
  for (const table of Object.values(tables)) {
    table.merge();
  }
};
