export * as Actor from "./Actor.ts";
export * as Core from "./Core.ts";
export * as CoreOptions from "./CoreOptions.ts";
export * as Directory from "./Directory.ts";
export * as Errors from "./Errors.ts";
export * as Housekeeping from "./Housekeeping.ts";
export * as Id from "./Id.ts";
export * as Input from "./Input.ts";
export * as Page from "./Page.ts";
export * as Text from "./Text.ts";
export * as Timestamp from "./Timestamp.ts";
export * as Transactor from "./Transactor.ts";

export * as Activity from "./issues/Activity.ts";
export * as ActivityStore from "./issues/ActivityStore.ts";
export * as Attachment from "./issues/Attachment.ts";
export * as AttachmentContent from "./issues/AttachmentContent.ts";
export * as AttachmentStore from "./issues/AttachmentStore.ts";
export * as Attachments from "./issues/Attachments.ts";
export * as Comment from "./issues/Comment.ts";
export * as Comments from "./issues/Comments.ts";
export * as CommentStore from "./issues/CommentStore.ts";
export * as Issue from "./issues/Issue.ts";
export * as IssueAccess from "./issues/IssueAccess.ts";
export * as IssueLifecycle from "./issues/IssueLifecycle.ts";
export * as IssueLink from "./issues/IssueLink.ts";
export * as IssueStore from "./issues/IssueStore.ts";
export * as Issues from "./issues/Issues.ts";
export * as Links from "./issues/Links.ts";
export * as LinkStore from "./issues/LinkStore.ts";
export * as Readiness from "./issues/Readiness.ts";
export * as SearchText from "./issues/SearchText.ts";

export * as Agent from "./agents/Agent.ts";
export * as Agents from "./agents/Agents.ts";
export * as AgentStore from "./agents/AgentStore.ts";
export * as AgentTools from "./agents/AgentTools.ts";
export * as Heartbeat from "./agents/Heartbeat.ts";
export * as Run from "./agents/Run.ts";
export * as Runs from "./agents/Runs.ts";
export * as RunStore from "./agents/RunStore.ts";

export * as ApiKey from "./access/ApiKey.ts";
export * as Idempotency from "./access/Idempotency.ts";
export * as IdempotencyStore from "./access/IdempotencyStore.ts";
export * as Keys from "./access/Keys.ts";
export * as KeyStore from "./access/KeyStore.ts";
export * as Principal from "./access/Principal.ts";
export * as Role from "./access/Role.ts";
export * as Session from "./access/Session.ts";
export * as Sessions from "./access/Sessions.ts";
export * as SessionStore from "./access/SessionStore.ts";

export * as Event from "./events/Event.ts";
export * as EventLog from "./events/EventLog.ts";
export * as EventStore from "./events/EventStore.ts";

export * as MasterKeys from "./secrets/MasterKeys.ts";
