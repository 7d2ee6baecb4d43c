import { Schema } from "effect";
import { ServiceId } from "../Id.ts";
import { Timestamp } from "../Timestamp.ts";

export const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed", "skipped"]);
export type DeliveryStatus = typeof DeliveryStatus.Type;

/** One event on its way to one webhook. */
export const WebhookDelivery = Schema.Struct({
  id: ServiceId.annotateKey({ description: "The delivery's id, `dlv_...`." }),
  webhookId: ServiceId.annotateKey({ description: "The webhook." }),
  eventId: ServiceId.annotateKey({
    description: "The event, which is the `webhook-id` of every attempt.",
  }),
  kind: Schema.String.annotateKey({ description: "The event's kind, or `webhook.test`." }),
  status: DeliveryStatus.annotateKey({
    description:
      "`pending`: an attempt is due, waits or is in flight. `delivered`: a response with a status of 200 to 299. `failed`: every attempt failed. `skipped`: it was not sent.",
  }),
  attempts: Schema.Int.annotateKey({ description: "The number of attempts that ended." }),
  nextAttemptAt: Schema.NullOr(Timestamp).annotateKey({
    description:
      "When the next attempt is due; while one is in flight, when another node would repeat it. Null unless pending.",
  }),
  lastStatus: Schema.NullOr(Schema.Int).annotateKey({
    description: "The HTTP status of the last response; null if there was none.",
  }),
  lastError: Schema.NullOr(Schema.String).annotateKey({
    description: "The reason why the last attempt failed, or why the delivery was skipped.",
  }),
  lastResponse: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The first 1,024 bytes of the last response as text, without control characters; null for receivers that are not on the public internet.",
  }),
  durationMs: Schema.NullOr(Schema.Int).annotateKey({
    description: "The milliseconds of the last attempt; null without one.",
  }),
  createdAt: Timestamp.annotateKey({ description: "When the delivery was queued." }),
  deliveredAt: Schema.NullOr(Timestamp).annotateKey({
    description: "When the receiver accepted it; null if it did not.",
  }),
}).annotate({
  identifier: "WebhookDelivery",
  description: "One event on its way to one webhook.",
});
export interface WebhookDelivery extends Schema.Schema.Type<typeof WebhookDelivery> {}

/** A filter for deliveries. All members must match. */
export const DeliveryFilter = Schema.Struct({
  status: Schema.optionalKey(DeliveryStatus).annotateKey({
    description: "Only deliveries with this status.",
  }),
  eventId: Schema.optionalKey(ServiceId).annotateKey({
    description: "Only deliveries of this event.",
  }),
});
export interface DeliveryFilter extends Schema.Schema.Type<typeof DeliveryFilter> {}

/** The stored form of a delivery. */
export interface DeliveryRow extends WebhookDelivery {
  readonly seq: number;
  /** The event's `seq`; 0 for `webhook.test`, whose event is not stored. */
  readonly eventSeq: number;
  /** Names the attempt that is in flight until `nextAttemptAt`; null without one. */
  readonly claim: string | null;
}

/** The delivery without the fields that only storage needs. */
export const toDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  webhookId: row.webhookId,
  eventId: row.eventId,
  kind: row.kind,
  status: row.status,
  attempts: row.attempts,
  nextAttemptAt: row.nextAttemptAt,
  lastStatus: row.lastStatus,
  lastError: row.lastError,
  lastResponse: row.lastResponse,
  durationMs: row.durationMs,
  createdAt: row.createdAt,
  deliveredAt: row.deliveredAt,
});

/** Whether an attempt is in flight. A claim whose node stopped ends by its time. */
export const isInFlight = (row: DeliveryRow, now: Timestamp): boolean =>
  row.claim !== null && row.nextAttemptAt !== null && row.nextAttemptAt > now;
