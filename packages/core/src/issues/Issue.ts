import { Schema } from "effect";
import { Actor } from "../Actor.ts";
import { ServiceId } from "../Id.ts";
import * as Text from "../Text.ts";
import { Timestamp } from "../Timestamp.ts";
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
const count = (status: IssueStatus) =>
  Schema.Int.annotateKey({ description: `How many issues are ${status}.` });
export const StatusCounts = Schema.Struct({
  Open: count("Open"),
  InProgress: count("InProgress"),
  WaitingOnDependency: count("WaitingOnDependency"),
  PendingReview: count("PendingReview"),
  Resolved: count("Resolved"),
  Closed: count("Closed"),
}).annotate({ identifier: "StatusCounts", description: "How many issues have each status." });
export type StatusCounts = typeof StatusCounts.Type;

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
  labels: Schema.Array(Schema.String).annotateKey({
    description: "Up to 32 labels, sorted.",
  }),
  metadata: Schema.Record(Schema.String, Schema.String).annotateKey({
    description: "Texts of the host by key.",
  }),
  externalRef: Schema.NullOr(Schema.String).annotateKey({
    description: "The issue's id in another system, unique in the project; null for none.",
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

/** An issue as a change returns it that may hand it in. */
export const ChangedIssue = Schema.Struct({
  ...Issue.fields,
  handedInAs: Schema.optionalKey(Schema.Literals(["review"])).annotateKey({
    description:
      "`review`: the agent resolved the issue, and its project lets agents only hand in for review. Absent otherwise.",
  }),
}).annotate({
  identifier: "ChangedIssue",
  description: "The issue after a change, and how it was handed in instead.",
});
export interface ChangedIssue extends Schema.Schema.Type<typeof ChangedIssue> {}

/**
 * The stored form of an issue: without its links, and with the fields that only the service needs.
 * The storage assigns `seq`, its position in the order of creation. `resumed` is true from a resume
 * to the next pick-up. `LinkStore` maintains `linkCount`, the links at either end of the issue.
 */
export interface IssueRow extends Omit<Issue, "links" | "paused"> {
  readonly seq: number;
  readonly resumed: boolean;
  readonly linkCount: number;
}

/** The issue without what only the service needs. */
export const toIssue = (row: IssueRow, links: Issue["links"]): Issue => ({
  id: row.id,
  projectId: row.projectId,
  title: row.title,
  description: row.description,
  status: row.status,
  priority: row.priority,
  assignedAgentId: row.assignedAgentId,
  assigneeUserId: row.assigneeUserId,
  goalId: row.goalId,
  paused: row.pausedBecause !== null,
  pausedBecause: row.pausedBecause,
  attempts: row.attempts,
  notBefore: row.notBefore,
  labels: row.labels,
  metadata: row.metadata,
  externalRef: row.externalRef,
  links,
  version: row.version,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  startedAt: row.startedAt,
  resolvedAt: row.resolvedAt,
  closedAt: row.closedAt,
});

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

/** Whether the issue blocks its dependents: it is neither Resolved nor Closed. */
export const isOpen = (status: IssueStatus): boolean =>
  status !== "Resolved" && status !== "Closed";
