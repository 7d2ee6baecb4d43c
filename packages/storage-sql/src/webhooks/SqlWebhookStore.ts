import { WebhookStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { SqlClient } from "effect/sql";
import { always, beyond, clause, limit, list, ordered, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Locks from "../sql/Locks.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import { Wiping } from "../Wiping.ts";
import {
  changingDelivery,
  changingWebhook,
  deliveries,
  secrets,
  webhooks,
} from "./WebhookTables.ts";

type Sql = SqlClient.SqlClient;
type Port = WebhookStore.WebhookStore["Service"];

const webhooksOf = (sql: Sql, wipe: Effect.Effect<void>) => {
  const insert = Prepared.insertOne(sql, webhooks);
  const update = Prepared.update(sql, "webhooks", changingWebhook);
  const get = Prepared.one(sql, webhooks, "WHERE id = ?");
  const select = Prepared.select(sql, webhooks);
  return {
    insert: (webhook) => mapped(insert(webhook)),
    update: (webhook) => mapped(Effect.asVoid(update([webhook]))),
    advance: (webhookIds, cursor) =>
      mapped(
        Prepared.execute(
          sql,
          clause`UPDATE webhooks SET event_cursor = ${cursor} WHERE id IN ${list(webhookIds)}`,
        ),
      ),
    remove: (webhookId) =>
      mapped(
        Effect.andThen(
          Prepared.execute(sql, clause`DELETE FROM webhooks WHERE id = ${webhookId}`),
          Effect.andThen(
            Prepared.execute(
              sql,
              clause`DELETE FROM webhook_secrets WHERE webhook_id = ${webhookId}`,
            ),
            wipe,
          ),
        ),
      ),
    get: (webhookId) => mapped(get(webhookId)),
    list: mapped(select(clause`ORDER BY seq`)),
  } satisfies Partial<Port>;
};

/** The sealed values of webhooks. Each change wipes the values that it removes or replaces. */
const secretsOf = (sql: Sql, wipe: Effect.Effect<void>) => {
  const select = Prepared.select(sql, secrets);
  const put = Prepared.upsert(sql, secrets, ["webhook_id", "name"]);
  return {
    secrets: (webhookId) => mapped(select(clause`WHERE webhook_id = ${webhookId} ORDER BY name`)),
    putSecrets: (rows) => mapped(Effect.andThen(put(rows), wipe)),
    removeSecret: (webhookId, name) =>
      mapped(
        Effect.andThen(
          Prepared.execute(
            sql,
            clause`DELETE FROM webhook_secrets WHERE webhook_id = ${webhookId} AND name = ${name}`,
          ),
          wipe,
        ),
      ),
    secretsNotUnder: (keyId, after, count) =>
      mapped(
        select(clause`WHERE (webhook_id, name) > (${after?.webhookId ?? ""}, ${after?.name ?? ""})
          AND key_id <> ${keyId} ORDER BY webhook_id, name ${limit(count)}`),
      ),
  } satisfies Partial<Port>;
};

/**
 * The order of deliveries. For an order by `seq` PostgreSQL may read the primary key until enough rows match, which is
 * the whole table for a webhook or a status that few rows have. Only indexes by webhook have the order of `seq + 0`.
 */
const placeOf = (sql: Sql): string => Dialect.either(sql, "seq", "(seq + 0)");

/** Texts of the partial indexes, which SQLite uses for equal text only. */
const attemptsOf = { first: raw("attempts = 0"), retry: raw("attempts > 0") };

const writesOf = (sql: Sql) => {
  const insert = Prepared.insert(sql, deliveries);
  const update = Prepared.update(sql, "webhook_deliveries", changingDelivery);
  return {
    queue: (rows) => mapped(insert(rows)),
    putDelivery: (row) => mapped(Effect.asVoid(update([row]))),
    skip: (webhookId, reason, now, count) =>
      mapped(
        Prepared.count(
          sql,
          clause`UPDATE webhook_deliveries SET status = 'skipped', claim = NULL,
            next_attempt_at = NULL, last_error = ${reason}
            WHERE ${Locks.batch(
              sql,
              "webhook_deliveries",
              "seq",
              clause`WHERE webhook_id = ${webhookId} AND status = 'pending'
                AND (claim IS NULL OR next_attempt_at <= ${now})
                ORDER BY ${raw(placeOf(sql))} ${limit(count)}`,
            )} RETURNING 1`,
        ),
      ),
    removeDeliveries: (webhookId, count) =>
      mapped(
        Prepared.count(
          sql,
          clause`DELETE FROM webhook_deliveries WHERE ${Locks.batch(
            sql,
            "webhook_deliveries",
            "seq",
            clause`WHERE webhook_id = ${webhookId} ORDER BY ${raw(placeOf(sql))} ${limit(count)}`,
          )} RETURNING 1`,
        ),
      ),
    prune: (before, count) =>
      mapped(
        Prepared.count(
          sql,
          clause`DELETE FROM webhook_deliveries WHERE ${Locks.batch(
            sql,
            "webhook_deliveries",
            "seq",
            clause`WHERE status <> 'pending' AND created_at < ${before}
              ORDER BY created_at ${limit(count)}`,
          )} RETURNING 1`,
        ),
      ),
  } satisfies Partial<Port>;
};

const readsOf = (sql: Sql) => {
  const get = Prepared.one(sql, deliveries, "WHERE id = ?");
  const attempted = Prepared.one(
    sql,
    deliveries,
    `WHERE webhook_id = ? AND attempts > 0 ORDER BY ${placeOf(sql)} DESC LIMIT 1`,
  );
  const select = Prepared.select(sql, deliveries);
  return {
    delivery: (deliveryId) => mapped(get(deliveryId)),
    deliveries: (webhookId, { eventId, status }, slice) =>
      mapped(
        select(
          clause`WHERE webhook_id = ${webhookId}
            AND ${status === undefined ? always : clause`status = ${status}`}
            AND ${eventId === undefined ? always : clause`event_id = ${eventId}`}
            AND ${beyond(slice, placeOf(sql))} ${ordered(slice, placeOf(sql))}`,
        ),
      ),
    attempted: (webhookId) => mapped(attempted(webhookId)),
    due: (webhookId, kind, now, count) =>
      mapped(
        select(clause`WHERE webhook_id = ${webhookId} AND status = 'pending'
          AND ${attemptsOf[kind]} AND next_attempt_at <= ${now}
          ORDER BY next_attempt_at, seq ${limit(count)}`),
      ),
    // PostgreSQL may read all that is due for `EXISTS (… <= now)`, and one entry of an index for the earliest.
    withDue: (now) =>
      mapped(
        Effect.map(
          Prepared.run<readonly [id: string]>(
            sql,
            clause`SELECT id FROM webhooks WHERE status = 'enabled' AND (
              (SELECT next_attempt_at FROM webhook_deliveries d WHERE d.webhook_id = webhooks.id
                AND d.status = 'pending' AND d.attempts = 0 ORDER BY next_attempt_at LIMIT 1) <= ${now}
              OR (SELECT next_attempt_at FROM webhook_deliveries d WHERE d.webhook_id = webhooks.id
                AND d.status = 'pending' AND d.attempts > 0 ORDER BY next_attempt_at LIMIT 1) <= ${now})
              ORDER BY seq`,
          ),
          (rows) => rows.map(([id]) => id),
        ),
      ),
    claimed: (webhookId) =>
      mapped(
        select(clause`WHERE webhook_id = ${webhookId} AND status = 'pending'
          AND claim IS NOT NULL ORDER BY seq`),
      ),
    waiting: (webhookId, most) =>
      mapped(
        Effect.map(
          Prepared.run<readonly [count: number]>(
            sql,
            clause`SELECT count(*) FROM (SELECT 1 FROM webhook_deliveries
              WHERE webhook_id = ${webhookId} AND status = 'pending' ${limit(most)}) AS part`,
          ),
          ([row]) => Number(row?.[0] ?? 0),
        ),
      ),
    succeededSince: (webhookId, since) =>
      mapped(
        Effect.map(
          Prepared.run(
            sql,
            clause`SELECT 1 FROM webhook_deliveries
              WHERE webhook_id = ${webhookId} AND delivered_at >= ${since}
              ORDER BY delivered_at DESC LIMIT 1`,
          ),
          (rows) => rows.length > 0,
        ),
      ),
    oldestPending: mapped(
      Effect.map(
        Prepared.run<readonly [seq: number]>(
          sql,
          clause`SELECT event_seq FROM webhook_deliveries
            WHERE status = 'pending' AND event_seq > 0 ORDER BY event_seq LIMIT 1`,
        ),
        ([row]) => Option.fromNullishOr(row?.[0]),
      ),
    ),
  } satisfies Partial<Port>;
};

/** Webhooks and their deliveries in the current `SqlClient`. */
export const layer: Layer.Layer<WebhookStore.WebhookStore, never, SqlClient.SqlClient | Wiping> =
  Layer.effect(
    WebhookStore.WebhookStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient;
      const { afterCommit: wipe } = yield* Wiping;
      return WebhookStore.WebhookStore.of({
        ...webhooksOf(sql, wipe),
        ...secretsOf(sql, wipe),
        ...readsOf(sql),
        ...writesOf(sql),
      });
    }),
  );
