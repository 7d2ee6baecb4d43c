/**
 * Every refusal of the services, one class each. The fields are for programs; the message is for
 * people and says what happened and what to do. Each room declares its own errors; hosts import
 * them from here.
 */
export {
  ConfirmationRequired,
  IdempotencyMismatch,
  InvalidRequest,
  LimitExceeded,
  NotFound,
  PayloadTooLarge,
  PreconditionFailed,
  StorageError,
  UnknownReference,
} from "./CommonErrors.ts";
export { Forbidden, LastOwnerKey, Unauthenticated } from "./access/AccessErrors.ts";
export {
  Blocked,
  CommentFixed,
  DependencyCycle,
  Exists,
  ExternalRefTaken,
  Held,
  LinkExists,
  NotExecuting,
  NotPaused,
  OpenDependents,
  Paused,
  ProjectInUse,
  QuestionClosed,
  SelfLink,
} from "./issues/IssueErrors.ts";
export { InUse, NoRun, RunEnded } from "./agents/AgentErrors.ts";
export { EffectOpen, EffectSettled } from "./effects/EffectErrors.ts";
export { LogGap } from "./runs/RunErrors.ts";
export { UsageKey } from "./usage/UsageErrors.ts";
export { DeliveryPending, RotationOpen } from "./webhooks/WebhookErrors.ts";
export {
  AuthorizationFailed,
  AuthorizationFailedReason,
  EntryIdTaken,
  EntryInUse,
  ForbiddenPath,
  MissingEnv,
  NameTaken,
  OAuthFailureReason,
  RuntimeMissing,
  SandboxMissing,
  ToolUnavailable,
  ToolUnavailableReason,
  UnknownEnv,
  VerificationFailed,
} from "./mcp/McpErrors.ts";
