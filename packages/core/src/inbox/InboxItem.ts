import { Schema } from "effect";
import { HostId, ServiceId } from "../Id.ts";
import { IssuePriority } from "../issues/Issue.ts";
import { Timestamp } from "../Timestamp.ts";

/** What waits for a person. */

export const InboxKind = Schema.Literals([
  "question",
  "review",
  "tooManyAttempts",
  "failed",
  "blockedChain",
  "agentSilent",
  "serverError",
  "toolsChanged",
]);
export type InboxKind = typeof InboxKind.Type;

export const InboxItem = Schema.Struct({
  kind: InboxKind.annotateKey({
    description:
      "`question`: an open question. `review`: an issue in `PendingReview`. `tooManyAttempts` and `failed`: an issue that is paused for that reason. `blockedChain`: an issue that blocks others and is not picked up, though no open issue blocks it. `agentSilent`: an agent without a heartbeat for 10 minutes, with an issue that it runs or could pick up. `serverError`: an MCP server with the status `error`. `toolsChanged`: an MCP server with withheld tools.",
  }),
  since: Timestamp.annotateKey({
    description:
      "`question`: when it was asked. Issues: when the issue's own fields changed last. `agentSilent`: the last heartbeat, or without any the registration. Servers: when the server changed last.",
  }),
  priority: IssuePriority.annotateKey({
    description:
      "The issue's priority. `agentSilent` and `serverError` are `high`, `toolsChanged` is `normal`.",
  }),
  projectId: Schema.NullOr(Schema.String).annotateKey({
    description: "The issue's project; null for agents and servers.",
  }),
  issueId: Schema.NullOr(ServiceId).annotateKey({
    description: "The issue; null for agents and servers.",
  }),
  questionId: Schema.NullOr(ServiceId).annotateKey({
    description: "The question; null for other kinds.",
  }),
  serverId: Schema.NullOr(ServiceId).annotateKey({
    description: "The installed server; null for other kinds.",
  }),
  agentId: Schema.NullOr(Schema.String).annotateKey({
    description: "The silent agent, or the issue's assigned agent; null for none.",
  }),
  title: Schema.String.annotateKey({
    description: "The issue's title, or the name of the agent or server.",
  }),
  detail: Schema.String.annotateKey({
    description:
      "What a person has to know or do, in a sentence or two: for a question its first 500 UTF-16 units.",
  }),
}).annotate({ identifier: "InboxItem", description: "Something that waits for a person." });
export interface InboxItem extends Schema.Schema.Type<typeof InboxItem> {}

/** Which items a caller wants. Both must match. */
export const InboxFilter = Schema.Struct({
  projectId: Schema.optionalKey(Schema.Array(HostId).check(Schema.isMaxLength(100))).annotateKey({
    description:
      "Items of these projects only, up to 100, and no servers. A project that the caller may not see has no items.",
  }),
  kind: Schema.optionalKey(Schema.Array(InboxKind)).annotateKey({
    description: "Items of these kinds only.",
  }),
});
export interface InboxFilter extends Schema.Schema.Type<typeof InboxFilter> {}

/** The priority of kinds that belong to no issue. */
export const priorityOf = {
  agentSilent: "high",
  serverError: "high",
  toolsChanged: "normal",
} as const;
