import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { WebhookRow, WebhookSecretRow } from "./Webhook.ts";
import type { DeliveryFilter, DeliveryRow } from "./WebhookDelivery.ts";

/** Whether a due delivery was attempted before. */
export type DueKind = "first" | "retry";

/** Port: webhooks, their sealed values and their deliveries. */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /** Inserts a webhook and assigns its `seq`. */
    insert(webhook: Omit<WebhookRow, "seq">): Effect.Effect<WebhookRow, StorageError>;
    update(webhook: WebhookRow): Effect.Effect<void, StorageError>;
    /** Sets `cursor` of these webhooks. */
    advance(webhookIds: ReadonlyArray<string>, cursor: number): Effect.Effect<void, StorageError>;
    /** Removes a webhook and its sealed values, but not its deliveries. */
    remove(webhookId: string): Effect.Effect<void, StorageError>;
    get(webhookId: string): Effect.Effect<Option.Option<WebhookRow>, StorageError>;
    /** Every webhook, oldest first. */
    readonly list: Effect.Effect<ReadonlyArray<WebhookRow>, StorageError>;

    /** The sealed values of a webhook, ordered by name. */
    secrets(webhookId: string): Effect.Effect<ReadonlyArray<WebhookSecretRow>, StorageError>;
    /** Stores sealed values, or replaces them. */
    putSecrets(rows: ReadonlyArray<WebhookSecretRow>): Effect.Effect<void, StorageError>;
    removeSecret(
      webhookId: string,
      name: WebhookSecretRow["name"],
    ): Effect.Effect<void, StorageError>;
    /** Returns values that are not sealed under this key, ordered by webhook and name, after `after`. */
    secretsNotUnder(
      keyId: string,
      after: Pick<WebhookSecretRow, "name" | "webhookId"> | null,
      limit: number,
    ): Effect.Effect<ReadonlyArray<WebhookSecretRow>, StorageError>;

    /** Inserts deliveries in this order. Returns the `seq` of each. */
    queue(
      deliveries: ReadonlyArray<Omit<DeliveryRow, "seq">>,
    ): Effect.Effect<ReadonlyArray<number>, StorageError>;
    putDelivery(delivery: DeliveryRow): Effect.Effect<void, StorageError>;
    delivery(deliveryId: string): Effect.Effect<Option.Option<DeliveryRow>, StorageError>;
    /** The deliveries of a webhook. */
    deliveries(
      webhookId: string,
      filter: DeliveryFilter,
      slice: Slice,
    ): Effect.Effect<ReadonlyArray<DeliveryRow>, StorageError>;
    /** The newest delivery of a webhook that was attempted. */
    attempted(webhookId: string): Effect.Effect<Option.Option<DeliveryRow>, StorageError>;
    /** Pending deliveries of a webhook whose `nextAttemptAt` is at most `now`, by that and `seq`. */
    due(
      webhookId: string,
      kind: DueKind,
      now: Timestamp,
      limit: number,
    ): Effect.Effect<ReadonlyArray<DeliveryRow>, StorageError>;
    /** The ids of enabled webhooks with a pending delivery whose `nextAttemptAt` is at most `now`. */
    withDue(now: Timestamp): Effect.Effect<ReadonlyArray<string>, StorageError>;
    /** Pending deliveries of a webhook with a `claim`. */
    claimed(webhookId: string): Effect.Effect<ReadonlyArray<DeliveryRow>, StorageError>;
    /** The number of pending deliveries of a webhook, counted up to `most`. */
    waiting(webhookId: string, most: number): Effect.Effect<number, StorageError>;
    /** Whether a delivery of a webhook has `deliveredAt` of at least `since`. */
    succeededSince(webhookId: string, since: Timestamp): Effect.Effect<boolean, StorageError>;
    /**
     * Makes pending deliveries of a webhook `skipped` for this reason, at most `limit`, oldest first, without
     * deliveries that are in flight at `now`. Returns how many.
     */
    skip(
      webhookId: string,
      reason: string,
      now: Timestamp,
      limit: number,
    ): Effect.Effect<number, StorageError>;
    /** The lowest `eventSeq` of a pending delivery, other than 0. */
    readonly oldestPending: Effect.Effect<Option.Option<number>, StorageError>;
    /** Removes at most `limit` deliveries of a webhook, and returns how many. */
    removeDeliveries(webhookId: string, limit: number): Effect.Effect<number, StorageError>;
    /** Removes at most `limit` deliveries that are not pending and were created before `before`. */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/webhooks/WebhookStore") {}
