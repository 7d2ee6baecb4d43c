import { Schema } from "effect";
import { Actor } from "../Actor.ts";
import { ServiceId } from "../Id.ts";
import { Timestamp } from "../Timestamp.ts";
import { ActivityKind } from "./ActivityKind.ts";

/** Event kinds that only Admins get. */
export const AdminEventKind = Schema.Literals([
  "mcp.installed",
  "mcp.updated",
  "mcp.preparing",
  "mcp.prepared",
  "mcp.verified",
  "mcp.enabled",
  "mcp.disabled",
  "mcp.failed",
  "mcp.recovered",
  "mcp.toolsChanged",
  "mcp.accessChanged",
  "mcp.uninstalled",
  "mcp.catalogChanged",
  "agent.registered",
  "agent.updated",
  "agent.deleted",
  "key.created",
  "key.deleted",
  "webhook.created",
  "webhook.updated",
  "webhook.failing",
  "webhook.deleted",
]);

export const EventKind = Schema.Literals([
  ...ActivityKind.literals.map((kind) => `issue.${kind}` as const),
  "issue.effectSent",
  "issue.effectEnded",
  "issue.deleted",
  "project.updated",
  "project.deleted",
  "view.created",
  "view.updated",
  "view.deleted",
  "run.takenOver",
  "run.logged",
  ...AdminEventKind.literals,
]);
export type EventKind = typeof EventKind.Type;

/** Something that happened, written in the transaction of the change that it reports. */
export const Event = Schema.Struct({
  id: ServiceId.annotateKey({
    description:
      "The event's id. A subscription resumes after it, unless its kind is `run.logged`: such an event is not stored.",
  }),
  kind: EventKind.annotateKey({ description: "The kind of change." }),
  projectId: Schema.NullOr(Schema.String).annotateKey({
    description: "The project of the change; null if it has none.",
  }),
  subjectId: Schema.String.annotateKey({
    description:
      "The issue, project, saved view, run, installed server, agent, key or webhook that the event is about.",
  }),
  issueKey: Schema.NullOr(Schema.String).annotateKey({
    description: "The key of the issue of the change; null if it has none.",
  }),
  actor: Actor.annotateKey({ description: "The user, agent or service that made the change." }),
  data: Schema.Record(Schema.String, Schema.Unknown).annotateKey({
    description: "Details, which depend on `kind`.",
  }),
  createdAt: Timestamp.annotateKey({ description: "The time of the change." }),
}).annotate({
  identifier: "Event",
  description: "The record of a change, stored in the same transaction as the change.",
});
export interface Event extends Schema.Schema.Type<typeof Event> {}

/**
 * The stored form of an event. `seq` is its position in the order of commits. For
 * `relatedProjectId` see `ActivityRow`.
 */
export interface EventRow extends Event {
  readonly seq: number;
  readonly relatedProjectId: string | null;
}

/** The filter of a subscription. `kinds` are exact kinds, or a family such as `issue.*`. */
export interface EventFilter {
  readonly projectId?: string | undefined;
  readonly kinds?: ReadonlyArray<string> | undefined;
}
