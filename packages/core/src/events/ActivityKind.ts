import { Schema } from "effect";

/** Kinds of entries on an issue's timeline. Each is also an event kind, as `issue.<kind>`. */
export const ActivityKind = Schema.Literals([
  "created",
  "updated",
  "statusChanged",
  "commented",
  "commentEdited",
  "commentDeleted",
  "attached",
  "detached",
  "linked",
  "unlinked",
  "pickedUp",
  "deferred",
  "paused",
  "resumed",
  "stopped",
  "finished",
  "leaseExpired",
  "asked",
  "answered",
  "questionExpired",
  "questionWithdrawn",
  "effectSettled",
  "effectsReset",
]);
export type ActivityKind = typeof ActivityKind.Type;
