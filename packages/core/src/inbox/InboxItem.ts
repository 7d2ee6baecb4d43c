import { Schema } from "effect";
import { HostId, ServiceId } from "../Id.ts";
import { IssuePriority } from "../issues/Issue.ts";
import { Timestamp } from "../Timestamp.ts";

/** Items that need a person. */

export const InboxKind = Schema.Literals([
  "question",
  "review",
  "tooManyAttempts",
  "failed",
  "effectUnknown",
  "blockedChain",
  "agentSilent",
  "runnerHalted",
  "serverError",
  "toolsChanged",
]);
export type InboxKind = typeof InboxKind.Type;

export const InboxItem = Schema.Struct({
  kind: InboxKind.annotateKey({
    description:
      "`question`: an open question. `review`: an issue in `PendingReview`. `tooManyAttempts` and `failed`: an issue that is paused for that reason. `effectUnknown`: a call under `once` whose reply was lost, until it is settled. `blockedChain`: an issue that blocks other issues and is not picked up, although no open issue blocks it. `agentSilent`: an agent without a heartbeat for 10 minutes, with an issue that it runs or could pick up. `runnerHalted`: an agent whose runner starts no issues for now, for example because of a usage limit. `serverError`: an MCP server with the status `error`. `toolsChanged`: an MCP server with withheld tools.",
  }),
  since: Timestamp.annotateKey({
    description:
      "`question`: when it was asked. `effectUnknown`: when it was sent. Issues: when the issue's own fields last changed. `agentSilent`: the last heartbeat, or the registration if there was none. `runnerHalted`: the first heartbeat that said so. Servers: when the server last changed.",
  }),
  priority: IssuePriority.annotateKey({
    description:
      "The issue's priority. `agentSilent`, `runnerHalted` and `serverError` are `high`, `toolsChanged` is `normal`.",
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
  callId: Schema.NullOr(ServiceId).annotateKey({
    description: "The call of an effect; null for other kinds.",
  }),
  serverId: Schema.NullOr(ServiceId).annotateKey({
    description: "The installed server, also of an effect; null for other kinds.",
  }),
  agentId: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The silent agent, the agent of the runner, or the agent of the issue; null if there is none.",
  }),
  title: Schema.String.annotateKey({
    description: "The issue's title, or the name of the agent or server.",
  }),
  detail: Schema.String.annotateKey({
    description:
      "One or two sentences about what a person has to know or do. For a question: its first 500 characters.",
  }),
}).annotate({ identifier: "InboxItem", description: "An item that needs a person." });
export interface InboxItem extends Schema.Schema.Type<typeof InboxItem> {}

/** A filter for items. Both members must match. */
export const InboxFilter = Schema.Struct({
  projectId: Schema.optionalKey(Schema.Array(HostId).check(Schema.isMaxLength(100))).annotateKey({
    description:
      "Only items of these projects, up to 100, without servers. A project that the caller may not see has no items.",
  }),
  kind: Schema.optionalKey(Schema.Array(InboxKind)).annotateKey({
    description: "Only items of these kinds.",
  }),
});
export interface InboxFilter extends Schema.Schema.Type<typeof InboxFilter> {}

/** The priority of kinds that belong to no issue. */
export const priorityOf = {
  agentSilent: "high",
  runnerHalted: "high",
  serverError: "high",
  toolsChanged: "normal",
} as const;
