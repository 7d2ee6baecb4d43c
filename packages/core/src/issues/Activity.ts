import { Schema } from "effect";
import { Actor } from "../Actor.ts";
import { ActivityKind } from "../events/ActivityKind.ts";
import { ServiceId } from "../Id.ts";
import { Timestamp } from "../Timestamp.ts";

export { ActivityKind };

/** Why a status changed, in `data.cause` of a `statusChanged` entry. */
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

/** One entry of an issue's timeline. Its id is also that of the event it was announced by. */
export const Activity = Schema.Struct({
  id: ServiceId,
  issueId: ServiceId,
  kind: ActivityKind,
  actor: Actor,
  data: Schema.Record(Schema.String, Schema.Unknown),
  createdAt: Timestamp,
}).annotate({ identifier: "Activity" });
export interface Activity extends Schema.Schema.Type<typeof Activity> {}

/**
 * An entry as storage keeps it. `relatedProjectId` is the project of the other issue that `data`
 * speaks of, if any: who may not see that project does not see the entry.
 */
export interface ActivityRow extends Activity {
  readonly seq: number;
  readonly relatedProjectId: string | null;
}

/** The entry without what only storage needs. */
export const toActivity = (row: ActivityRow): Activity => ({
  id: row.id,
  issueId: row.issueId,
  kind: row.kind,
  actor: row.actor,
  data: row.data,
  createdAt: row.createdAt,
});
