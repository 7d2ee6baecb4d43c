import { Schema } from "effect";
import { Actor } from "../Actor.ts";
import { HostId, ServiceId } from "../Id.ts";
import * as Text from "../Text.ts";
import { Timestamp, TimestampInput } from "../Timestamp.ts";
import { IssueLink } from "./IssueLink.ts";

/** The state of an issue. `IssueLifecycle` has the transitions. */
export const IssueStatus = Schema.Literals([
  "Open",
  "InProgress",
  "WaitingOnDependency",
  "PendingReview",
  "Resolved",
  "Closed",
]);
export type IssueStatus = typeof IssueStatus.Type;

/** A number for each status. */
export type StatusCounts = Readonly<Record<IssueStatus, number>>;

export const countsOf = (count: (status: IssueStatus) => number): StatusCounts => ({
  Open: count("Open"),
  InProgress: count("InProgress"),
  WaitingOnDependency: count("WaitingOnDependency"),
  PendingReview: count("PendingReview"),
  Resolved: count("Resolved"),
  Closed: count("Closed"),
});

/** Urgent first. */
export const IssuePriority = Schema.Literals(["urgent", "high", "normal", "low"]);
export type IssuePriority = typeof IssuePriority.Type;

/** Why an issue is paused. `unknown`: it was paused before reasons were stored. */
export const PausedBecause = Schema.Literals([
  "person",
  "failed",
  "tooManyAttempts",
  "questionExpired",
  "unknown",
]);
export type PausedBecause = typeof PausedBecause.Type;

/** 1 to 256 UTF-16 units after trimming. */
export const Title = Text.trimmedBetween(1, 256);

/** At most 65,536 UTF-16 units. */
export const Description = Text.between(0, 65_536);

/** The unit of work that agents execute, as every response has it. */
export const Issue = Schema.Struct({
  id: ServiceId.annotateKey({ description: "The issue's id, created by the service." }),
  projectId: Schema.String.annotateKey({ description: "The project's id, chosen by the host." }),
  title: Schema.String.annotateKey({ description: "1 to 256 UTF-16 units, trimmed." }),
  description: Schema.NullOr(Schema.String).annotateKey({
    description: "At most 65,536 UTF-16 units.",
  }),
  status: IssueStatus.annotateKey({
    description:
      "`Open`: ready to be picked up. `InProgress`: an agent works on it. `WaitingOnDependency`: an open issue blocks it. `PendingReview`: handed in for review. `Resolved` and `Closed`: done; both free its dependents.",
  }),
  priority: IssuePriority.annotateKey({ description: "Heartbeats pick up urgent issues first." }),
  assignedAgentId: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The agent that works on the issue; null for none, and then no heartbeat picks it up.",
  }),
  assigneeUserId: Schema.NullOr(Schema.String).annotateKey({
    description: "The person who is responsible for the issue; null for none.",
  }),
  goalId: Schema.NullOr(Schema.String).annotateKey({
    description: "A goal of the host that the issue serves; null for none.",
  }),
  paused: Schema.Boolean.annotateKey({
    description:
      "True after a pause, a run that finished as `failed`, or too many attempts: no heartbeat picks the issue up until a person resumes it.",
  }),
  pausedBecause: Schema.NullOr(PausedBecause).annotateKey({
    description:
      "Why the issue is paused; null if it is not. `person`: a user or an agent paused it. `failed`: a run finished as `failed`. `tooManyAttempts`: runs died or failed as often as the service allows. `questionExpired`: a question was not answered in time. `unknown`: it was paused before reasons were stored.",
  }),
  attempts: Schema.Int.annotateKey({
    description:
      "Runs that died or failed since the issue was handed in or resumed, or a person set its status or agent.",
  }),
  notBefore: Schema.NullOr(Timestamp).annotateKey({
    description: "No heartbeat picks the issue up before this time; null for no such time.",
  }),
  links: Schema.Array(IssueLink).annotateKey({
    description: "The first 100 links, oldest first, as seen from this issue.",
  }),
  version: Schema.Int.annotateKey({
    description:
      "1 at creation, and 1 more with every change of the issue's own fields. `ETag` and `If-Match` carry it.",
  }),
  createdBy: Actor.annotateKey({ description: "Who created the issue." }),
  createdAt: Timestamp.annotateKey({ description: "When the issue was created." }),
  updatedAt: Timestamp.annotateKey({ description: "When the issue's own fields changed last." }),
  startedAt: Schema.NullOr(Timestamp).annotateKey({
    description: "When the issue was first `InProgress`; null if it never was.",
  }),
  resolvedAt: Schema.NullOr(Timestamp).annotateKey({
    description: "When the issue was resolved; null if it is not resolved, or was reopened.",
  }),
  closedAt: Schema.NullOr(Timestamp).annotateKey({
    description: "When the issue was closed; null if it is not closed.",
  }),
}).annotate({ identifier: "Issue", description: "A unit of work that an agent executes." });
export interface Issue extends Schema.Schema.Type<typeof Issue> {}

/**
 * An issue as storage has it: without its links, and with what only the service needs. The storage
 * assigns `seq`, its position in the order of creation. `resumed` is true from a resume to the next
 * pick-up. `LinkStore` maintains `linkCount`, the links at either end of the issue.
 */
export interface IssueRow extends Omit<Issue, "links" | "paused"> {
  readonly seq: number;
  readonly resumed: boolean;
  readonly linkCount: number;
}

/** The fields of an issue that its lifecycle changes, and its id. */
export type IssueState = Pick<
  IssueRow,
  | "id"
  | "projectId"
  | "status"
  | "pausedBecause"
  | "attempts"
  | "notBefore"
  | "resumed"
  | "version"
  | "updatedAt"
  | "startedAt"
  | "resolvedAt"
  | "closedAt"
>;

export const stateOf = (row: IssueState): IssueState => ({
  id: row.id,
  projectId: row.projectId,
  status: row.status,
  pausedBecause: row.pausedBecause,
  attempts: row.attempts,
  notBefore: row.notBefore,
  resumed: row.resumed,
  version: row.version,
  updatedAt: row.updatedAt,
  startedAt: row.startedAt,
  resolvedAt: row.resolvedAt,
  closedAt: row.closedAt,
});

const deferral = "No agent picks the issue up before this time. ISO 8601 with `Z` or an offset.";

/** The body that creates an issue. */
export const IssueCreate = Schema.Struct({
  title: Title.pipe(
    Schema.annotateEncoded({ description: "1 to 256 UTF-16 units after trimming." }),
  ),
  description: Schema.optionalKey(Schema.NullOr(Description)).annotateKey({
    description: "What to do. At most 65,536 UTF-16 units. Default: null.",
  }),
  priority: Schema.optionalKey(Schema.NullOr(IssuePriority)).annotateKey({
    description: "Default: `normal`.",
  }),
  assignedAgentId: Schema.optionalKey(Schema.NullOr(HostId)).annotateKey({
    description:
      "The agent that is to work on the issue; an unknown agent is registered, or refused where the host accepts registered agents only. Default: null, and then no heartbeat picks the issue up.",
  }),
  assigneeUserId: Schema.optionalKey(Schema.NullOr(HostId)).annotateKey({
    description: "The person who is responsible for the issue. Default: null.",
  }),
  goalId: Schema.optionalKey(Schema.NullOr(HostId)).annotateKey({
    description: "A goal of the host that the issue serves. Default: null.",
  }),
  blockedByIssueId: Schema.optionalKey(Schema.NullOr(ServiceId)).annotateKey({
    description: "An issue that blocks the new one, which then waits for it. Default: null.",
  }),
  notBefore: Schema.optionalKey(Schema.NullOr(TimestampInput)).pipe(
    Schema.annotateEncoded({
      description: `${deferral} Default: null.`,
    }),
  ),
}).annotate({ identifier: "IssueCreate", description: "The body that creates an issue." });
export interface IssueCreate extends Schema.Schema.Type<typeof IssueCreate> {}

/**
 * The body that changes an issue. An omitted field is left alone; `null` clears a field, except
 * `title`, `status` and `priority`, where it is ignored.
 */
export const IssueUpdate = Schema.Struct({
  title: Schema.optionalKey(Schema.NullOr(Title)).annotateKey({
    description: "1 to 256 UTF-16 units after trimming. Null is ignored.",
  }),
  description: Schema.optionalKey(Schema.NullOr(Description)).annotateKey({
    description: "At most 65,536 UTF-16 units. Null clears it.",
  }),
  status: Schema.optionalKey(Schema.NullOr(IssueStatus)).annotateKey({
    description:
      "The new status, which also ends a pause; from a person, it sets `attempts` to 0 and clears `notBefore`. Open blockers forbid every status except `WaitingOnDependency`, `Resolved` and `Closed`; open dependents forbid `Closed`. Null is ignored.",
  }),
  priority: Schema.optionalKey(Schema.NullOr(IssuePriority)).annotateKey({
    description: "Null is ignored.",
  }),
  assignedAgentId: Schema.optionalKey(Schema.NullOr(HostId)).annotateKey({
    description:
      "The agent that is to work on the issue. Another agent, or null, stops the current run at its next turn. An unknown agent is registered, or refused where the host accepts registered agents only.",
  }),
  assigneeUserId: Schema.optionalKey(Schema.NullOr(HostId)).annotateKey({
    description: "The person who is responsible for the issue. Null clears it.",
  }),
  goalId: Schema.optionalKey(Schema.NullOr(HostId)).annotateKey({
    description: "A goal of the host that the issue serves. Null clears it.",
  }),
  notBefore: Schema.optionalKey(Schema.NullOr(TimestampInput)).pipe(
    Schema.annotateEncoded({
      description: `${deferral} Null clears it.`,
    }),
  ),
}).annotate({
  identifier: "IssueUpdate",
  description: "The body that changes an issue. An omitted field is left alone.",
});
export interface IssueUpdate extends Schema.Schema.Type<typeof IssueUpdate> {}

/** Filters of a list of issues. All of them must match. */
export const IssueFilter = Schema.Struct({
  status: Schema.optionalKey(IssueStatus).annotateKey({
    description: "Issues of this status only.",
  }),
  assigneeId: Schema.optionalKey(HostId).annotateKey({
    description: "Issues whose assigned agent or assigned user has this id.",
  }),
  goalId: Schema.optionalKey(HostId).annotateKey({ description: "Issues of this goal only." }),
  priority: Schema.optionalKey(IssuePriority).annotateKey({
    description: "Issues of this priority only.",
  }),
  q: Schema.optionalKey(Text.between(0, 1_024)).annotateKey({
    description:
      "Full text: issues that contain all words in title, description and comments, in any order and case, without a query syntax. At most 1,024 UTF-16 units and 32 distinct words.",
  }),
  updatedSince: Schema.optionalKey(TimestampInput).pipe(
    Schema.annotateEncoded({
      description: "Issues that changed at this time or later. ISO 8601 with `Z` or an offset.",
    }),
  ),
});
export interface IssueFilter extends Schema.Schema.Type<typeof IssueFilter> {}

/** Whether the issue blocks its dependents: it is neither Resolved nor Closed. */
export const isOpen = (status: IssueStatus): boolean =>
  status !== "Resolved" && status !== "Closed";
