import { Schema } from "effect";
import { Actor } from "../Actor.ts";
import { ActivityKind } from "../events/ActivityKind.ts";
import { ServiceId } from "../Id.ts";
import { Timestamp } from "../Timestamp.ts";

export { ActivityKind };

/** The reason of a changed status, in `data.cause` of a `statusChanged` entry. */
export type StatusCause =
  | "update"
  | "close"
  | "pause"
  | "resume"
  | "linked"
  | "unlinked"
  | "blockerResolved"
  | "blockerClosed"
  | "blockerDeleted"
  | "blockerReopened"
  | "pickedUp"
  | "finished";

/** One entry of an issue's timeline. The event that reported it has the same id. */
export const Activity = Schema.Struct({
  id: ServiceId.annotateKey({
    description: "The id of the entry, and of the event that reported it.",
  }),
  issueId: ServiceId.annotateKey({ description: "The issue that the timeline belongs to." }),
  kind: ActivityKind.annotateKey({ description: "The kind of change." }),
  actor: Actor.annotateKey({ description: "The user, agent or service that made the change." }),
  data: Schema.Record(Schema.String, Schema.Unknown).annotateKey({
    description:
      "Details, which depend on the kind, such as `from`, `to` and `cause` of a status change, or `runId` of a run.",
  }),
  createdAt: Timestamp.annotateKey({ description: "The time of the change." }),
}).annotate({ identifier: "Activity", description: "One entry of an issue's timeline." });
export interface Activity extends Schema.Schema.Type<typeof Activity> {}

/**
 * The stored form of an entry. `relatedProjectId` is the project of the other issue in `data`, if
 * any: a principal that may not see that project does not see the entry.
 */
export interface ActivityRow extends Activity {
  readonly seq: number;
  readonly relatedProjectId: string | null;
}

/** The entry without the fields that only storage needs. */
export const toActivity = (row: ActivityRow): Activity => ({
  id: row.id,
  issueId: row.issueId,
  kind: row.kind,
  actor: row.actor,
  data: row.data,
  createdAt: row.createdAt,
});
