import { Effect } from "effect";
import type { StorageError } from "../../CommonErrors.ts";
import type { EventRow } from "../../events/Event.ts";
import { EventStore } from "../../events/EventStore.ts";
import * as Id from "../../Id.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import type { WebhookRow } from "../../webhooks/Webhook.ts";
import type { DeliveryRow } from "../../webhooks/WebhookDelivery.ts";
import { WebhookStore } from "../../webhooks/WebhookStore.ts";
import * as Changes from "./Changes.ts";
import * as Subscriptions from "./Subscriptions.ts";

/** Turns events into deliveries. */

/** Deliveries that may wait for a webhook. */
const maxWaiting = 100_000;
/** Events per transaction. */
const atOnce = 1_000;

/** A new delivery of an event, due immediately. */
export const deliveryOf = Effect.fnUntraced(function* (
  newId: Id.Ids["Service"]["create"],
  webhookId: string,
  event: Pick<EventRow, "id" | "seq"> & { readonly kind: string },
): Effect.fn.Return<Omit<DeliveryRow, "seq">> {
  const now = yield* Timestamp.now;
  return {
    id: yield* newId("dlv"),
    webhookId,
    eventId: event.id,
    eventSeq: event.seq,
    kind: event.kind,
    status: "pending",
    attempts: 0,
    nextAttemptAt: now,
    claim: null,
    lastStatus: null,
    lastError: null,
    lastResponse: null,
    durationMs: null,
    createdAt: now,
    deliveredAt: null,
  };
});

export const make = Effect.gen(function* () {
  const store = yield* WebhookStore;
  const events = yield* EventStore;
  const newId = yield* Id.generator;
  const { transact } = yield* Transactor;
  const changes = yield* Changes.make;
  /** The `seq` of deliveries from which on a webhook may have too many: counting 100,000 takes 5 ms. */
  const countAgainAt = new Map<string, number>();

  /** Queues what a webhook wants. Returns the `seq` from which its deliveries are counted again. */
  const queueFor = Effect.fnUntraced(function* (
    webhook: WebhookRow,
    rows: ReadonlyArray<EventRow>,
    until: number,
  ) {
    const wanted = rows.filter(
      (row) => row.seq > webhook.cursor && Subscriptions.wants(webhook, row),
    );
    if (wanted.length === 0) return null;
    const added = yield* Effect.forEach(wanted, (row) => deliveryOf(newId, webhook.id, row));
    const last = (yield* store.queue(added)).at(-1) ?? 0;
    if (last < (countAgainAt.get(webhook.id) ?? 0)) return null;
    const waiting = yield* store.waiting(webhook.id, maxWaiting + 1);
    if (waiting > maxWaiting) {
      yield* changes.fail({ ...webhook, cursor: until }, "tooManyWaiting");
    }
    return [webhook.id, last + Math.max(0, maxWaiting - waiting)] as const;
  });

  /**
   * Queues deliveries of the next events, and moves the cursors in the same transaction. Returns whether more
   * events may follow.
   */
  const next: Effect.Effect<boolean, StorageError> = Effect.gen(function* () {
    // Outside of the transaction: PostgreSQL gives committed events their place first.
    const last = yield* events.lastSeq;
    const { counted, isFull } = yield* transact(
      Effect.gen(function* () {
        const webhooks = (yield* store.list).filter(
          ({ cursor, status }) => status === "enabled" && cursor < last,
        );
        if (webhooks.length === 0) return { counted: [], isFull: false };
        const after = Math.min(...webhooks.map(({ cursor }) => cursor));
        const rows = yield* events.list(
          { projects: null, kinds: null },
          { after, until: last, limit: atOnce },
        );
        const isFull = rows.length === atOnce;
        const until = isFull ? (rows.at(-1)?.seq ?? last) : last;
        const behind = webhooks.filter(({ cursor }) => cursor < until);
        const ids = behind.map(({ id }) => id);
        yield* store.advance(ids, until);
        const counted = yield* Effect.forEach(behind, (webhook) => queueFor(webhook, rows, until));
        return { counted, isFull };
      }),
    );
    for (const count of counted) if (count !== null) countAgainAt.set(...count);
    return isFull;
  });

  return { next };
});
