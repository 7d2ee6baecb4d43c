import type { Webhook, WebhookDelivery } from "@quartermaster/core";
import * as Table from "../sql/Table.ts";

export const webhooks = Table.make<Webhook.WebhookRow>("webhooks", (cells, row) => ({
  seq: cells.plain("seq", row.seq),
  id: cells.plain("id", row.id),
  url: cells.plain("url", row.url),
  name: cells.plain("name", row.name),
  kinds: cells.json("kinds", row.kinds),
  projectId: cells.plain("project_id", row.projectId),
  format: cells.plain("format", row.format),
  status: cells.plain("status", row.status),
  statusReason: cells.plain("status_reason", row.statusReason),
  secretSetAt: cells.plain("secret_set_at", row.secretSetAt),
  createdBy: cells.actor("created_by", row.createdBy),
  createdAt: cells.plain("created_at", row.createdAt),
  updatedAt: cells.plain("updated_at", row.updatedAt),
  cursor: cells.plain("event_cursor", row.cursor),
  previousUntil: cells.plain("previous_until", row.previousUntil),
  timeouts: cells.plain("timeouts", row.timeouts),
  probeAt: cells.plain("probe_at", row.probeAt),
  failingAt: cells.plain("failing_at", row.failingAt),
}));

export const secrets = Table.make<Webhook.WebhookSecretRow>("webhook_secrets", (cells, row) => ({
  webhookId: cells.plain("webhook_id", row.webhookId),
  name: cells.plain("name", row.name),
  keyId: cells.plain("key_id", row.keyId),
  nonce: cells.plain("nonce", row.nonce),
  sealed: cells.plain("sealed", row.sealed),
}));

export const deliveries = Table.make<WebhookDelivery.DeliveryRow>(
  "webhook_deliveries",
  (cells, row) => ({
    seq: cells.plain("seq", row.seq),
    id: cells.plain("id", row.id),
    webhookId: cells.plain("webhook_id", row.webhookId),
    eventId: cells.plain("event_id", row.eventId),
    eventSeq: cells.plain("event_seq", row.eventSeq),
    kind: cells.plain("kind", row.kind),
    status: cells.plain("status", row.status),
    attempts: cells.plain("attempts", row.attempts),
    nextAttemptAt: cells.plain("next_attempt_at", row.nextAttemptAt),
    claim: cells.plain("claim", row.claim),
    lastStatus: cells.plain("last_status", row.lastStatus),
    lastError: cells.plain("last_error", row.lastError),
    lastResponse: cells.plain("last_response", row.lastResponse),
    durationMs: cells.plain("duration_ms", row.durationMs),
    createdAt: cells.plain("created_at", row.createdAt),
    deliveredAt: cells.plain("delivered_at", row.deliveredAt),
  }),
);

export const changingWebhook = Table.part(
  webhooks,
  webhooks.columns.filter((column) => column !== "seq" && column !== "id"),
);

/** The columns that an attempt changes. */
export const changingDelivery = Table.part(deliveries, [
  "status",
  "attempts",
  "next_attempt_at",
  "claim",
  "last_status",
  "last_error",
  "last_response",
  "duration_ms",
  "delivered_at",
]);
