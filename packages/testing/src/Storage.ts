import type {
  ActivityStore,
  AgentStore,
  AttachmentContent,
  AttachmentStore,
  CommentStore,
  EventStore,
  IdempotencyStore,
  IssueStore,
  KeyStore,
  LinkStore,
  McpServerStore,
  RunStore,
  SessionStore,
  ToolCallStore,
  Transactor,
} from "@quartermaster/core";

/** Every port that a storage provides. */
export type Storage =
  | ActivityStore.ActivityStore
  | AgentStore.AgentStore
  | AttachmentContent.AttachmentContent
  | AttachmentStore.AttachmentStore
  | CommentStore.CommentStore
  | EventStore.EventStore
  | IdempotencyStore.IdempotencyStore
  | IssueStore.IssueStore
  | KeyStore.KeyStore
  | LinkStore.LinkStore
  | McpServerStore.McpServerStore
  | RunStore.RunStore
  | SessionStore.SessionStore
  | ToolCallStore.ToolCallStore
  | Transactor.Transactor;
