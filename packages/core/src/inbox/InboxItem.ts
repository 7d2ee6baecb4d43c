import { Schema } from "effect";
import { HostId, ServiceId } from "../Id.ts";
import { IssuePriority } from "../issues/Issue.ts";
import { Timestamp, TimestampInput } from "../Timestamp.ts";

/** Items that need a person. */

/** The number of items that a principal may have snoozed. */
export const maxSnoozed = 1_000;

export const InboxKind = Schema.Literals([
  "question",
  "review",
  "mentioned",
  "tooManyAttempts",
  "failed",
  "effectUnknown",
  "blockedChain",
  "agentSilent",
  "runnerHalted",
  "serverError",
  "toolsChanged",
  "webhookFailing",
]);
export type InboxKind = typeof InboxKind.Type;

export const InboxItem = Schema.Struct({
  kind: InboxKind.annotateKey({
    description:
      "`question`: an open question. `review`: an issue in `PendingReview`. `mentioned`: an issue with a comment or description that mentions the caller as `@id`, until the caller comments on it or dismisses it. `tooManyAttempts` and `failed`: an issue that is paused for that reason. `effectUnknown`: a call under `once` whose reply was lost and is not settled. `blockedChain`: an issue that blocks other issues and is not picked up, although no open issue blocks it. `agentSilent`: an agent without a heartbeat for 10 minutes, with an issue that it runs or could pick up. `runnerHalted`: an agent whose runner starts no issues for now, such as at a usage limit. `serverError`: an MCP server with the status `error`. `toolsChanged`: an MCP server with withheld tools. `webhookFailing`: a webhook with the status `failing`.",
  }),
  since: Timestamp.annotateKey({
    description:
      "`question`: when it was asked. `mentioned`: when the caller was last mentioned. `effectUnknown`: when it was sent. Issues: when the issue's own fields last changed. `agentSilent`: the last heartbeat or the registration. `runnerHalted`: the first heartbeat that said so. Servers and webhooks: when they last changed.",
  }),
  priority: IssuePriority.annotateKey({
    description:
      "The issue's priority. `agentSilent`, `runnerHalted`, `serverError` and `webhookFailing` are `high`, `toolsChanged` is `normal`.",
  }),
  projectId: Schema.NullOr(Schema.String).annotateKey({
    description: "The issue's project; null for agents and servers.",
  }),
  issueId: Schema.NullOr(ServiceId).annotateKey({
    description: "The issue; null for agents and servers.",
  }),
  issueKey: Schema.NullOr(Schema.String).annotateKey({
    description: "The issue's key; null for agents and servers.",
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
  commentId: Schema.optionalKey(ServiceId).annotateKey({
    description:
      "The comment that mentions the caller; missing for a description and for other kinds.",
  }),
  webhookId: Schema.optionalKey(ServiceId).annotateKey({
    description: "The webhook; missing for other kinds.",
  }),
  blocks: Schema.NullOr(Schema.Int).annotateKey({
    description:
      "The number of open issues that wait for the issue, directly and through others, counted up to 100. Null for agents and servers, and after the first 500 items.",
  }),
  title: Schema.String.annotateKey({
    description: "The issue's title, or the name of the agent, server or webhook.",
  }),
  detail: Schema.String.annotateKey({
    description:
      "One or two sentences about what a person has to know or do. For a question or a text that mentions the caller: its first 500 characters.",
  }),
}).annotate({ identifier: "InboxItem", description: "An item that needs a person." });
export interface InboxItem extends Schema.Schema.Type<typeof InboxItem> {}

/** Items that one action answers. */
export const InboxGroup = Schema.Struct({
  group: Schema.String.annotateKey({
    description: "The group's id, which is equal for equal causes and differs for each caller.",
  }),
  kind: InboxKind.annotateKey({ description: "The kind of its items." }),
  count: Schema.Int.annotateKey({ description: "The number of its items." }),
  line: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The first line that the items have in common, up to 200 characters: of the newest hand-in comment of a failed issue, or of a runner's reason. Null for other kinds, and without a comment.",
  }),
  priority: IssuePriority.annotateKey({ description: "The highest priority of its items." }),
  since: Timestamp.annotateKey({ description: "`since` of its first item." }),
  ids: Schema.Array(Schema.String).annotateKey({
    description: "The ids of its first 200 items, by which they are snoozed.",
  }),
  items: Schema.Array(InboxItem).annotateKey({ description: "Its first 3 items." }),
}).annotate({
  identifier: "InboxGroup",
  description: "Items of the inbox that one action answers.",
});
export interface InboxGroup extends Schema.Schema.Type<typeof InboxGroup> {}

/** The id by which an item is snoozed. Two unknown effects of an issue have the same. */
export const idOf = ({ agentId, issueId, questionId, serverId, webhookId }: InboxItem): string =>
  questionId ?? issueId ?? serverId ?? webhookId ?? agentId ?? "";

/** The body that snoozes items of the inbox. */
export const InboxSnooze = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      kind: InboxKind.annotateKey({ description: "The item's kind." }),
      id: Schema.String.annotateKey({
        description:
          "The item's `questionId`, else its `issueId` (or the issue's key), `serverId`, `webhookId` or `agentId`.",
      }),
    }),
  )
    .check(
      Schema.isMinLength(1, { expected: "at least one item" }),
      Schema.isMaxLength(maxSnoozed, { expected: `at most ${maxSnoozed} items` }),
    )
    .annotateKey({ description: `1 to ${maxSnoozed} items. Items that are gone are ignored.` }),
  until: Schema.NullOr(TimestampInput).pipe(
    Schema.annotateEncoded({
      description:
        "The time until which the items are hidden, at most 30 days from now. ISO 8601 with `Z` or an offset. Null shows them again.",
    }),
  ),
}).annotate({
  identifier: "InboxSnooze",
  description: "The body of a request that hides items of the inbox for a time.",
});
export interface InboxSnooze extends Schema.Schema.Type<typeof InboxSnooze> {}

/** A filter for items. All members must match. */
export const InboxFilter = Schema.Struct({
  projectId: Schema.optionalKey(Schema.Array(HostId).check(Schema.isMaxLength(100))).annotateKey({
    description:
      "Only items of these projects, up to 100, without servers. A project that the caller may not see has no items.",
  }),
  kind: Schema.optionalKey(Schema.Array(InboxKind)).annotateKey({
    description: "Only items of these kinds.",
  }),
  mine: Schema.optionalKey(Schema.Boolean).annotateKey({
    description:
      "Only items of issues that are assigned to the caller, questions of issues that the caller created, and mentions. Default: false.",
    contentSchema: { type: "boolean", default: false },
  }),
});
export interface InboxFilter extends Schema.Schema.Type<typeof InboxFilter> {}

/** The priority of kinds that belong to no issue. */
export const priorityOf = {
  agentSilent: "high",
  runnerHalted: "high",
  serverError: "high",
  toolsChanged: "normal",
  webhookFailing: "high",
} as const;
