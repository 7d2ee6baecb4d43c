export * as Actor from "./Actor.ts";
export * as Errors from "./Errors.ts";
export * as Id from "./Id.ts";
export * as Page from "./Page.ts";
export * as Text from "./Text.ts";
export * as Timestamp from "./Timestamp.ts";
export * as Transactor from "./Transactor.ts";

export * as Activity from "./issues/Activity.ts";
export * as ActivityStore from "./issues/ActivityStore.ts";
export * as Attachment from "./issues/Attachment.ts";
export * as AttachmentContent from "./issues/AttachmentContent.ts";
export * as AttachmentStore from "./issues/AttachmentStore.ts";
export * as Comment from "./issues/Comment.ts";
export * as CommentStore from "./issues/CommentStore.ts";
export * as Issue from "./issues/Issue.ts";
export * as IssueLink from "./issues/IssueLink.ts";
export * as IssueStore from "./issues/IssueStore.ts";
export * as LinkStore from "./issues/LinkStore.ts";
export * as SearchText from "./issues/SearchText.ts";

export * as Agent from "./agents/Agent.ts";
export * as AgentStore from "./agents/AgentStore.ts";
export * as Run from "./agents/Run.ts";
export * as RunStore from "./agents/RunStore.ts";

export * as ApiKey from "./access/ApiKey.ts";
export * as IdempotencyStore from "./access/IdempotencyStore.ts";
export * as KeyStore from "./access/KeyStore.ts";
export * as Principal from "./access/Principal.ts";
export * as Role from "./access/Role.ts";
export * as Session from "./access/Session.ts";
export * as SessionStore from "./access/SessionStore.ts";

export * as Event from "./events/Event.ts";
export * as EventStore from "./events/EventStore.ts";
