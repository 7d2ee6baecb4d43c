import { Effect, Option } from "effect";
import * as Principal from "../../access/Principal.ts";
import { system } from "../../Actor.ts";
import { InvalidRequest, NotFound } from "../../CommonErrors.ts";
import * as Id from "../../Id.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import * as Page from "../../Page.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import type { WebhookRow } from "../../webhooks/Webhook.ts";
import {
  DeliveryFilter,
  type DeliveryRow,
  isInFlight,
  toDelivery,
} from "../../webhooks/WebhookDelivery.ts";
import { DeliveryPending } from "../../webhooks/WebhookErrors.ts";
import { WebhookStore } from "../../webhooks/WebhookStore.ts";
import * as Attempts from "./Attempts.ts";
import * as Changes from "./Changes.ts";
import * as Queueing from "./Queueing.ts";
import * as Sending from "./Sending.ts";
import * as WebhookRecords from "./WebhookRecords.ts";

/** Nothing is queued for a webhook that is not enabled. */
export const checkEnabled = ({ status }: WebhookRow) =>
  status === "enabled"
    ? Effect.void
    : InvalidRequest.at("webhookId", `is ${status}: nothing is sent to it; enable it first`);

/** Tests, retries, and the list of deliveries. */
export const make = Effect.gen(function* () {
  const store = yield* WebhookStore;
  const { find } = yield* WebhookRecords.make;
  const newId = yield* Id.generator;
  const { transact } = yield* Transactor;
  const sending = yield* Sending.make;
  const changes = yield* Changes.make;
  const decodeFilter = Input.decoder(DeliveryFilter);

  const test = Span.fn("Webhooks.test")(function* (webhookId: string) {
    const principal = yield* Principal.requireUnbound("Admin");
    const webhook = yield* find(webhookId);
    const actor = Principal.actorOf(principal);
    const id = yield* newId("evt");
    const event = sending.testEvent(webhook, id, actor, yield* Timestamp.now);
    const outcome = yield* sending.send(webhook, event, null);
    const queued = yield* Queueing.deliveryOf(newId, webhookId, { ...event, seq: 0 });
    const isSuccess = Attempts.isSuccess(outcome.response.status);
    const delivery: Omit<DeliveryRow, "seq"> = {
      ...queued,
      status: isSuccess ? "delivered" : "failed",
      attempts: 1,
      nextAttemptAt: null,
      lastStatus: outcome.response.status,
      lastError: outcome.response.error ?? Attempts.errorOf(outcome.response.status),
      lastResponse: outcome.response.text,
      durationMs: outcome.durationMs,
      createdAt: event.createdAt,
      deliveredAt: isSuccess ? queued.createdAt : null,
    };
    yield* transact(
      Effect.gen(function* () {
        const row = yield* find(webhookId);
        yield* store.queue([delivery]);
        if (delivery.lastStatus === 410 && row.status === "enabled") {
          yield* changes.setStatus(row, "disabled", "gone", system);
        }
      }),
    );
    return toDelivery({ ...delivery, seq: 0 });
  });

  const deliveries = Span.fn("Webhooks.deliveries")(function* (
    webhookId: string,
    request: DeliveryFilter & Page.PageRequest = {},
  ) {
    yield* Principal.requireUnbound("Admin");
    const { limit, cursor, order, ...rest } = request;
    const filter = yield* decodeFilter(rest);
    yield* find(webhookId);
    const page = yield* Page.read(
      { limit, cursor, order, defaultOrder: "desc", query: ["deliveries", webhookId, filter] },
      (slice) => store.deliveries(webhookId, filter, slice),
    );
    return Page.map(page, toDelivery);
  });

  const retry = Span.fn("Webhooks.retry")(function* (webhookId: string, deliveryId: string) {
    yield* Principal.requireUnbound("Admin");
    return yield* transact(
      Effect.gen(function* () {
        const webhook = yield* find(webhookId);
        const row = Option.getOrNull(yield* store.delivery(deliveryId));
        if (row?.webhookId !== webhookId) {
          return yield* new NotFound({ resource: "delivery", id: deliveryId });
        }
        yield* checkEnabled(webhook);
        const now = yield* Timestamp.now;
        if (isInFlight(row, now)) return yield* new DeliveryPending();
        const next: DeliveryRow = {
          ...row,
          status: "pending",
          attempts: row.status === "pending" ? row.attempts : 0,
          nextAttemptAt: now,
          claim: null,
          deliveredAt: null,
        };
        yield* store.putDelivery(next);
        return toDelivery(next);
      }),
    );
  });

  return { test, deliveries, retry };
});
