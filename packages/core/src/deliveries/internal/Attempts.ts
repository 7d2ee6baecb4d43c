import { Effect, Option } from "effect";
import { SecureRandom } from "effect/crypto";
import { system } from "../../Actor.ts";
import type { StorageError } from "../../CommonErrors.ts";
import * as Id from "../../Id.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import type { WebhookRow, WebhookStatusReason } from "../../webhooks/Webhook.ts";
import { type DeliveryRow, isInFlight } from "../../webhooks/WebhookDelivery.ts";
import { WebhookStore } from "../../webhooks/WebhookStore.ts";
import * as Changes from "./Changes.ts";
import * as Schedule from "./Schedule.ts";
import type { Outcome } from "./Sending.ts";

/**
 * Claims and records attempts.
 *
 * A delivery is pending until it is delivered, failed or skipped. A pending one is due at `nextAttemptAt`. A claim
 * sets that to 60 seconds from now: if the node stops, the delivery is due again then, for any node. Only the claim
 * that a delivery has is recorded.
 */

/** The first attempts of a webhook at the same time, and the retries beside them. */
const atOnce = 4;
const claimSeconds = 60;
/** Timeouts in a row after which a receiver gets one attempt a minute. */
const maxTimeouts = 5;
const probeSeconds = 60;
const silentSeconds = 72 * 3_600;

/** An attempt that this node may make. */
export interface Claimed {
  readonly webhook: WebhookRow;
  readonly delivery: DeliveryRow;
}

export const make = Effect.gen(function* () {
  const store = yield* WebhookStore;
  const random = yield* SecureRandom.SecureRandom;
  const newId = yield* Id.generator;
  const { transact } = yield* Transactor;
  const changes = yield* Changes.make;

  /** The due deliveries that a webhook may get now. */
  const free = Effect.fnUntraced(function* (webhook: WebhookRow, now: Timestamp.Timestamp) {
    const inFlight = (yield* store.claimed(webhook.id)).filter((row) => isInFlight(row, now));
    const due = (kind: "first" | "retry", limit: number) =>
      limit > 0 ? store.due(webhook.id, kind, now, limit) : Effect.succeed([]);
    if (webhook.timeouts >= maxTimeouts) {
      if (inFlight.length > 0 || (webhook.probeAt ?? now) > now) return [];
      return [...(yield* due("first", 1)), ...(yield* due("retry", 1))].slice(0, 1);
    }
    const firsts = inFlight.filter(({ attempts }) => attempts === 0).length;
    return [
      ...(yield* due("first", atOnce - firsts)),
      ...(yield* due("retry", atOnce - (inFlight.length - firsts))),
    ];
  });

  /**
   * Claims deliveries of a webhook. Writes the webhook, so that two nodes do not claim at the same time: together
   * they would exceed what is in flight.
   */
  const claim = (webhookId: string): Effect.Effect<ReadonlyArray<Claimed>, StorageError> =>
    transact(
      Effect.gen(function* () {
        const now = yield* Timestamp.now;
        const webhook = Option.getOrNull(yield* store.get(webhookId));
        if (webhook?.status !== "enabled") return [];
        const rows = yield* free(webhook, now);
        if (rows.length === 0) return [];
        const probeAt =
          webhook.timeouts >= maxTimeouts ? Timestamp.addSeconds(now, probeSeconds) : null;
        yield* store.update({ ...webhook, probeAt });
        return yield* Effect.forEach(rows, (row) =>
          Effect.gen(function* () {
            const claim = yield* newId("dlv");
            const nextAttemptAt = Timestamp.addSeconds(now, claimSeconds);
            const delivery = { ...row, claim, nextAttemptAt };
            yield* store.putDelivery(delivery);
            return { webhook, delivery };
          }),
        );
      }),
    );

  const ended = (row: DeliveryRow) => ({ ...row, claim: null, nextAttemptAt: null });

  /** Counts timeouts in a row. */
  const noteTimeout = Effect.fnUntraced(function* (
    webhook: WebhookRow,
    timedOut: boolean,
    now: Timestamp.Timestamp,
  ) {
    const timeouts = timedOut ? webhook.timeouts + 1 : 0;
    if (timeouts === webhook.timeouts) return webhook;
    const probeAt = timeouts >= maxTimeouts ? Timestamp.addSeconds(now, probeSeconds) : null;
    const next = { ...webhook, timeouts, probeAt };
    yield* store.update(next);
    return next;
  });

  /** Stores a failed attempt. Returns why the webhook gets nothing more, or null. */
  const failed = Effect.fnUntraced(function* (
    webhook: WebhookRow,
    row: DeliveryRow,
    { retryAfter, status }: { readonly retryAfter: string | null; readonly status: number | null },
    now: Timestamp.Timestamp,
  ): Effect.fn.Return<WebhookStatusReason | null, StorageError> {
    if (webhook.status !== "enabled") {
      yield* store.putDelivery({ ...ended(row), status: "skipped" });
      return null;
    }
    const spread = (yield* random.intBetween(0, 1_000)) / 1_000;
    const nextAttemptAt = Schedule.next(row.attempts, retryAfter, spread, now);
    if (status === 410 || nextAttemptAt === null) {
      yield* store.putDelivery({ ...ended(row), status: "failed" });
      if (status === 410) return "gone";
      const since = Timestamp.addSeconds(now, -silentSeconds);
      return (yield* store.succeededSince(webhook.id, since)) ? null : "noSuccess";
    }
    yield* store.putDelivery({ ...row, claim: null, nextAttemptAt });
    return null;
  });

  /** Records the outcome of a claimed attempt, unless the delivery has another claim by now. */
  const record = ({ delivery }: Claimed, outcome: Outcome): Effect.Effect<void, StorageError> =>
    transact(
      Effect.gen(function* () {
        const row = Option.getOrNull(yield* store.delivery(delivery.id));
        if (row?.claim !== delivery.claim) return;
        const now = yield* Timestamp.now;
        if (outcome._tag === "Skipped") {
          const skipped = { ...ended(row), status: "skipped" as const };
          return yield* store.putDelivery({ ...skipped, lastError: outcome.reason });
        }
        const { response } = outcome;
        const next: DeliveryRow = {
          ...row,
          attempts: row.attempts + 1,
          lastStatus: response.status,
          lastError: response.error ?? errorOf(response.status),
          lastResponse: response.text,
          durationMs: outcome.durationMs,
        };
        const found = Option.getOrNull(yield* store.get(row.webhookId));
        if (found === null) return;
        const webhook = yield* noteTimeout(found, response.timedOut, now);
        if (isSuccess(response.status)) {
          const delivered = { ...ended(next), status: "delivered" as const };
          return yield* store.putDelivery({ ...delivered, deliveredAt: now });
        }
        const reason = yield* failed(webhook, next, response, now);
        if (reason === "gone") {
          yield* changes.setStatus(webhook, "disabled", reason, system);
        } else if (reason !== null) {
          yield* changes.fail(webhook, reason);
        }
      }),
    );

  /** The ids of webhooks that may have a free attempt. */
  const withDue = Effect.flatMap(Timestamp.now, store.withDue);

  return { claim, record, withDue };
});

export const isSuccess = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300;

/** The reason why a response is a failure; null for a success. */
export const errorOf = (status: number | null): string | null => {
  if (status === null || isSuccess(status)) return null;
  return status >= 300 && status < 400
    ? `The receiver redirects (HTTP status ${status}), which is not followed.`
    : `The receiver responded with HTTP status ${status}.`;
};
