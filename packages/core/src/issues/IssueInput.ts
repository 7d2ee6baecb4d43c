import { Schema } from "effect";
import { HostId, ProjectId, ServiceId } from "../Id.ts";
import { TimestampInput } from "../Timestamp.ts";
import { ExternalRef, Labels, Metadata } from "./HostFields.ts";
import { Description, IssuePriority, IssueStatus, Title } from "./Issue.ts";

/** The input that creates and changes issues. */

const labels = "Up to 32 labels of 1 to 64 characters after trimming.";
const metadata =
  "Up to 50 keys of 1 to 64 characters, each with a text; at most 4 KiB for all keys and values together.";
const externalRef =
  "The issue's id in another system, 1 to 256 characters, which no other issue of the project has.";
const deferral = "No agent picks the issue up before this time. ISO 8601 with `Z` or an offset.";

/** The body that creates an issue. */
export const IssueCreate = Schema.Struct({
  title: Title.pipe(Schema.annotateEncoded({ description: "1 to 256 characters after trimming." })),
  description: Schema.optionalKey(Schema.NullOr(Description)).annotateKey({
    description: "The task, in Markdown. At most 65,536 characters. Default: null.",
  }),
  priority: Schema.optionalKey(Schema.NullOr(IssuePriority)).annotateKey({
    description: "Default: `normal`.",
  }),
  assignedAgentId: Schema.optionalKey(Schema.NullOr(HostId)).annotateKey({
    description:
      "The agent that executes the issue. An unknown agent is registered, or rejected if the host accepts only registered agents. Default: null; then no heartbeat picks the issue up.",
  }),
  assigneeUserId: Schema.optionalKey(Schema.NullOr(HostId)).annotateKey({
    description: "The person who owns or reviews the issue. Default: null.",
  }),
  goalId: Schema.optionalKey(Schema.NullOr(HostId)).annotateKey({
    description: "The host's goal that the issue serves. Default: null.",
  }),
  blockedByIssueId: Schema.optionalKey(Schema.NullOr(ServiceId)).annotateKey({
    description: "An issue that blocks the new one. Default: null.",
  }),
  notBefore: Schema.optionalKey(Schema.NullOr(TimestampInput)).pipe(
    Schema.annotateEncoded({
      description: `${deferral} Default: null.`,
    }),
  ),
  labels: Schema.optionalKey(Schema.NullOr(Labels)).pipe(
    Schema.annotateEncoded({ description: `${labels} Default: none.` }),
  ),
  metadata: Schema.optionalKey(Schema.NullOr(Metadata)).pipe(
    Schema.annotateEncoded({ description: `${metadata} Default: none.` }),
  ),
  externalRef: Schema.optionalKey(Schema.NullOr(ExternalRef)).annotateKey({
    description: `${externalRef} Default: null.`,
  }),
}).annotate({
  identifier: "IssueCreate",
  description: "The body of a request that creates an issue.",
});
export interface IssueCreate extends Schema.Schema.Type<typeof IssueCreate> {}

/**
 * The body that changes an issue. An omitted field does not change; `null` clears a field, except
 * `title`, `status`, `priority` and `projectId`, where it is ignored.
 */
export const IssueUpdate = Schema.Struct({
  title: Schema.optionalKey(Schema.NullOr(Title)).annotateKey({
    description: "1 to 256 characters after trimming. Null is ignored.",
  }),
  description: Schema.optionalKey(Schema.NullOr(Description)).annotateKey({
    description: "At most 65,536 characters. Null clears it.",
  }),
  status: Schema.optionalKey(Schema.NullOr(IssueStatus)).annotateKey({
    description:
      "The new status. It also ends a pause, and if a person sets it, it resets `attempts` to 0 and clears `notBefore`. Open blockers forbid every status except `WaitingOnDependency`, `Resolved` and `Closed`; open dependents forbid `Closed`. Null is ignored.",
  }),
  priority: Schema.optionalKey(Schema.NullOr(IssuePriority)).annotateKey({
    description: "Null is ignored.",
  }),
  assignedAgentId: Schema.optionalKey(Schema.NullOr(HostId)).annotateKey({
    description:
      "The agent that executes the issue. A change to another agent or null stops the current run at its next turn. An unknown agent is registered, or rejected if the host accepts only registered agents.",
  }),
  assigneeUserId: Schema.optionalKey(Schema.NullOr(HostId)).annotateKey({
    description: "The person who owns or reviews the issue. Null clears it.",
  }),
  goalId: Schema.optionalKey(Schema.NullOr(HostId)).annotateKey({
    description: "The host's goal that the issue serves. Null clears it.",
  }),
  notBefore: Schema.optionalKey(Schema.NullOr(TimestampInput)).pipe(
    Schema.annotateEncoded({
      description: `${deferral} Null clears it.`,
    }),
  ),
  labels: Schema.optionalKey(Schema.NullOr(Labels)).pipe(
    Schema.annotateEncoded({ description: `${labels} Replaces all labels; null removes them.` }),
  ),
  metadata: Schema.optionalKey(Schema.NullOr(Metadata)).pipe(
    Schema.annotateEncoded({ description: `${metadata} Replaces all of it; null removes it.` }),
  ),
  externalRef: Schema.optionalKey(Schema.NullOr(ExternalRef)).annotateKey({
    description: `${externalRef} Null clears it.`,
  }),
  projectId: Schema.optionalKey(Schema.NullOr(ProjectId)).annotateKey({
    description:
      "Another project, to which the issue moves: it gets a key of that project, and its earlier keys keep working. No run may hold it. Agents cannot move issues. Null is ignored.",
  }),
}).annotate({
  identifier: "IssueUpdate",
  description: "The body of a request that changes an issue. An omitted field does not change.",
});
export interface IssueUpdate extends Schema.Schema.Type<typeof IssueUpdate> {}
