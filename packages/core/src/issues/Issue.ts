import { Schema } from "effect";
import { Actor } from "../Actor.ts";
import { ServiceId } from "../Id.ts";
import * as Text from "../Text.ts";
import { Timestamp } from "../Timestamp.ts";
import { IssueLink } from "./IssueLink.ts";

/** The state of an issue. `IssueLifecycle` lists the transitions. */
export const IssueStatus = Schema.Literals([
  "Open",
  "InProgress",
  "WaitingOnDependency",
  "PendingReview",
  "Resolved",
  "Closed",
]);
export type IssueStatus = typeof IssueStatus.Type;

/** A number per status. */
const count = (status: IssueStatus) =>
  Schema.Int.annotateKey({ description: `The number of issues that are ${status}.` });
export const StatusCounts = Schema.Struct({
  Open: count("Open"),
  InProgress: count("InProgress"),
  WaitingOnDependency: count("WaitingOnDependency"),
  PendingReview: count("PendingReview"),
  Resolved: count("Resolved"),
  Closed: count("Closed"),
}).annotate({ identifier: "StatusCounts", description: "The number of issues by status." });
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

/** The reason of a pause. `unknown`: the issue was paused before reasons were stored. */
export const PausedBecause = Schema.Literals([
  "person",
  "failed",
  "tooManyAttempts",
  "questionExpired",
  "unknown",
]);
export type PausedBecause = typeof PausedBecause.Type;

/** 1 to 256 characters after trimming. */
export const Title = Text.trimmedBetween(1, 256);

/** At most 65,536 characters. */
export const Description = Text.between(0, 65_536);

/** The unit of work that agents execute, in the form of every response. */
export const Issue = Schema.Struct({
  id: ServiceId.annotateKey({ description: "The issue's id, created by the service." }),
  key: Schema.String.annotateKey({
    description:
      "The issue's short id, such as `SHOP-142`: its project's prefix and its number. Requests take it in any letter case where they take the id.",
  }),
  projectId: Schema.String.annotateKey({ description: "The project's id, chosen by the host." }),
  title: Schema.String.annotateKey({ description: "1 to 256 characters, trimmed." }),
  description: Schema.NullOr(Schema.String).annotateKey({
    description: "At most 65,536 characters.",
  }),
  status: IssueStatus.annotateKey({
    description:
      "`Open`: ready to be picked up. `InProgress`: an agent works on it. `WaitingOnDependency`: an open issue blocks it. `PendingReview`: handed in for review. `Resolved` and `Closed`: done; both free its dependents.",
  }),
  priority: IssuePriority.annotateKey({ description: "Heartbeats pick up urgent issues first." }),
  assignedAgentId: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The agent that works on the issue. While it is null, no heartbeat picks the issue up.",
  }),
  assigneeUserId: Schema.NullOr(Schema.String).annotateKey({
    description: "The person who owns or reviews the issue; null if there is none.",
  }),
  goalId: Schema.NullOr(Schema.String).annotateKey({
    description: "The host's goal that the issue serves; null if there is none.",
  }),
  paused: Schema.Boolean.annotateKey({
    description:
      "True after a pause, after a run that finished as `failed`, and after too many attempts. No heartbeat picks the issue up until a person resumes it.",
  }),
  pausedBecause: Schema.NullOr(PausedBecause).annotateKey({
    description:
      "The reason for the pause; null if the issue is not paused. `person`: a user or an agent paused it. `failed`: a run finished as `failed`. `tooManyAttempts`: the number of runs that died or failed reached the limit of the service. `questionExpired`: a question was not answered in time. `unknown`: it was paused before reasons were stored.",
  }),
  attempts: Schema.Int.annotateKey({
    description:
      "The number of runs that died or failed since the issue was last handed in or resumed, or since a person last set its status or agent.",
  }),
  notBefore: Schema.NullOr(Timestamp).annotateKey({
    description:
      "No heartbeat picks the issue up before this time; null if it can be picked up at any time.",
  }),
  labels: Schema.Array(Schema.String).annotateKey({
    description: "Up to 32 labels, in alphabetical order.",
  }),
  metadata: Schema.Record(Schema.String, Schema.String).annotateKey({
    description: "The host's own values, by key.",
  }),
  externalRef: Schema.NullOr(Schema.String).annotateKey({
    description: "The issue's id in another system, unique in the project; null if it has none.",
  }),
  links: Schema.Array(IssueLink).annotateKey({
    description: "The first 100 links, oldest first, as seen from this issue.",
  }),
  version: Schema.Int.annotateKey({
    description:
      "1 at creation; every change of the issue's own fields adds 1. `ETag` and `If-Match` carry it.",
  }),
  createdBy: Actor.annotateKey({ description: "The user, agent or key that created the issue." }),
  createdAt: Timestamp.annotateKey({ description: "When the issue was created." }),
  updatedAt: Timestamp.annotateKey({ description: "When the issue's own fields last changed." }),
  startedAt: Schema.NullOr(Timestamp).annotateKey({
    description: "When the issue first became `InProgress`; null if it never did.",
  }),
  resolvedAt: Schema.NullOr(Timestamp).annotateKey({
    description: "When the issue was resolved; null if it is not resolved, or was reopened.",
  }),
  closedAt: Schema.NullOr(Timestamp).annotateKey({
    description: "When the issue was closed; null if it is not closed.",
  }),
}).annotate({ identifier: "Issue", description: "A unit of work that an agent executes." });
export interface Issue extends Schema.Schema.Type<typeof Issue> {}

/** An issue in the form that a change returns if the change may hand it in. */
export const ChangedIssue = Schema.Struct({
  ...Issue.fields,
  handedInAs: Schema.optionalKey(Schema.Literals(["review", "released"])).annotateKey({
    description:
      "`review`: the agent resolved the issue, and its project lets agents only hand in for review. `released`: a blocking question of the run is open, so its work is not done. Absent otherwise.",
  }),
  questionIds: Schema.optionalKey(Schema.Array(ServiceId)).annotateKey({
    description: "The open questions that made the hand-in a release. Absent otherwise.",
  }),
}).annotate({
  identifier: "ChangedIssue",
  description: "The issue after a change, and how it was handed in instead.",
});
export interface ChangedIssue extends Schema.Schema.Type<typeof ChangedIssue> {}

/** The projects and agents that a request created without naming them so, and its warnings. */
export const sideEffects = {
  created: Schema.Struct({
    project: Schema.NullOr(Schema.String).annotateKey({
      description: "The id of the project, if the request created it; null otherwise.",
    }),
    agent: Schema.NullOr(Schema.String).annotateKey({
      description: "The id of the agent, if the request registered it; null otherwise.",
    }),
  }).annotateKey({ description: "The project and the agent that the request created." }),
  warnings: Schema.Array(Schema.String).annotateKey({
    description: "Facts that the caller may not expect; empty if there are none.",
  }),
};

/** An issue after its creation or a PUT. */
export const SavedIssue = Schema.Struct({ ...ChangedIssue.fields, ...sideEffects }).annotate({
  identifier: "SavedIssue",
  description: "The issue after its creation or a change, with the side effects of the request.",
});
export interface SavedIssue extends Schema.Schema.Type<typeof SavedIssue> {}

export type SideEffects = Pick<SavedIssue, keyof typeof sideEffects>;

export const noSideEffects: SideEffects = {
  created: { project: null, agent: null },
  warnings: [],
};

/**
 * The stored form of an issue: without its links, and with the fields that only the service needs.
 * The storage assigns `seq`, its position in the order of creation, and `number`, its number in the
 * project; `key` has the current prefix of the project. `resumed` is true from a resume
 * to the next pick-up. `LinkStore` maintains `linkCount`, the links at either end of the issue.
 */
export interface IssueRow extends Omit<Issue, "links" | "paused"> {
  readonly seq: number;
  readonly number: number;
  readonly resumed: boolean;
  readonly linkCount: number;
}

/** An issue that the storage does not have yet. */
export interface NewIssue extends Omit<IssueRow, "seq" | "number" | "key"> {
  readonly prefix: string;
}

/** An issue that was inserted. Only the storage has its `seq` before the commit. */
export type InsertedIssue = Omit<IssueRow, "seq">;

/** The issue without the fields that only the service needs. */
export const toIssue = (row: InsertedIssue, links: Issue["links"]): Issue => ({
  id: row.id,
  key: row.key,
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
  | "key"
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
  key: row.key,
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

/** Returns whether the issue blocks its dependents: it is neither Resolved nor Closed. */
export const isOpen = (status: IssueStatus): boolean =>
  status !== "Resolved" && status !== "Closed";
