import { Schema } from "effect";
import { Actor } from "../Actor.ts";
import { HostId, ServiceId } from "../Id.ts";
import * as Text from "../Text.ts";
import { Timestamp, TimestampInput } from "../Timestamp.ts";
import { IssueLink } from "./IssueLink.ts";

/** The state of an issue (service.md 3.1). */
export const IssueStatus = Schema.Literals([
  "Open",
  "InProgress",
  "WaitingOnDependency",
  "PendingReview",
  "Resolved",
  "Closed",
]);
export type IssueStatus = typeof IssueStatus.Type;

/** Urgent first. */
export const IssuePriority = Schema.Literals(["urgent", "high", "normal", "low"]);
export type IssuePriority = typeof IssuePriority.Type;

/** 1 to 256 UTF-16 units after trimming. */
export const Title = Text.trimmedBetween(1, 256);

/** At most 65,536 UTF-16 units. */
export const Description = Text.between(0, 65_536);

/** The unit of work that agents execute, as every answer shows it. */
export const Issue = Schema.Struct({
  id: ServiceId,
  projectId: Schema.String,
  title: Schema.String,
  description: Schema.NullOr(Schema.String),
  status: IssueStatus,
  priority: IssuePriority,
  assignedAgentId: Schema.NullOr(Schema.String),
  assigneeUserId: Schema.NullOr(Schema.String),
  goalId: Schema.NullOr(Schema.String),
  paused: Schema.Boolean,
  /** The first 100 links, oldest first, seen from this issue. */
  links: Schema.Array(IssueLink),
  /** 1, and one more with every change of the issue's own fields. */
  version: Schema.Int,
  createdBy: Actor,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  startedAt: Schema.NullOr(Timestamp),
  resolvedAt: Schema.NullOr(Timestamp),
  closedAt: Schema.NullOr(Timestamp),
}).annotate({ identifier: "Issue" });
export interface Issue extends Schema.Schema.Type<typeof Issue> {}

/**
 * An issue as storage keeps it: without its links, and with what only the service needs.
 * `seq` is its place in the order of creation, given by the storage; `resumed` says that it was
 * resumed and has not been picked up since; `linkCount` counts the links at either end of it and
 * is kept by `LinkStore`.
 */
export interface IssueRow extends Omit<Issue, "links"> {
  readonly seq: number;
  readonly resumed: boolean;
  readonly linkCount: number;
}

/** What moves of an issue in its lifecycle, and which one it is. */
export type IssueState = Pick<
  IssueRow,
  | "id"
  | "projectId"
  | "status"
  | "paused"
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
  paused: row.paused,
  resumed: row.resumed,
  version: row.version,
  updatedAt: row.updatedAt,
  startedAt: row.startedAt,
  resolvedAt: row.resolvedAt,
  closedAt: row.closedAt,
});

/** The body of a creation. */
export const IssueCreate = Schema.Struct({
  title: Title,
  description: Schema.optionalKey(Schema.NullOr(Description)),
  priority: Schema.optionalKey(Schema.NullOr(IssuePriority)),
  assignedAgentId: Schema.optionalKey(Schema.NullOr(HostId)),
  assigneeUserId: Schema.optionalKey(Schema.NullOr(HostId)),
  goalId: Schema.optionalKey(Schema.NullOr(HostId)),
  blockedByIssueId: Schema.optionalKey(Schema.NullOr(ServiceId)),
}).annotate({ identifier: "IssueCreate" });
export interface IssueCreate extends Schema.Schema.Type<typeof IssueCreate> {}

/**
 * The body of an update. What is omitted stays; `null` clears where null is allowed, and is as
 * absent for `title`, `status` and `priority`, which cannot be cleared.
 */
export const IssueUpdate = Schema.Struct({
  title: Schema.optionalKey(Schema.NullOr(Title)),
  description: Schema.optionalKey(Schema.NullOr(Description)),
  status: Schema.optionalKey(Schema.NullOr(IssueStatus)),
  priority: Schema.optionalKey(Schema.NullOr(IssuePriority)),
  assignedAgentId: Schema.optionalKey(Schema.NullOr(HostId)),
  assigneeUserId: Schema.optionalKey(Schema.NullOr(HostId)),
  goalId: Schema.optionalKey(Schema.NullOr(HostId)),
}).annotate({ identifier: "IssueUpdate" });
export interface IssueUpdate extends Schema.Schema.Type<typeof IssueUpdate> {}

/** What a list of issues may be narrowed to. All that are given must match. */
export const IssueFilter = Schema.Struct({
  status: Schema.optionalKey(IssueStatus),
  /** Matches either assignee. */
  assigneeId: Schema.optionalKey(HostId),
  goalId: Schema.optionalKey(HostId),
  priority: Schema.optionalKey(IssuePriority),
  /** Full text over title, description and comments: all words, any order, any case, no syntax. */
  q: Schema.optionalKey(Text.between(0, 1_024)),
  /** Inclusive. */
  updatedSince: Schema.optionalKey(TimestampInput),
});
export interface IssueFilter extends Schema.Schema.Type<typeof IssueFilter> {}

/** Neither Resolved nor Closed: it blocks its dependents. */
export const isOpen = (status: IssueStatus): boolean =>
  status !== "Resolved" && status !== "Closed";
