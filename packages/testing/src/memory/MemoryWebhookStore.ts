import { type Webhook, type WebhookDelivery, WebhookStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";
import type { Tables } from "./Tables.ts";

type Delivery = WebhookDelivery.DeliveryRow;
type Secret = Pick<Webhook.WebhookSecretRow, "name" | "webhookId">;

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const compare = (a: Secret, b: Secret) => order(a.webhookId, b.webhookId) || order(a.name, b.name);
const keyOf = ({ name, webhookId }: Secret) => `${webhookId} ${name}`;

const secretsIn = ({ webhookSecrets }: Tables) =>
  Array.from(webhookSecrets.values()).toSorted(compare);
const webhooksIn = ({ webhooks }: Tables) =>
  Array.from(webhooks.values()).toSorted((a, b) => a.seq - b.seq);

const everything = { limit: Infinity, order: "asc", after: null } as const;

/** The pending deliveries of a webhook, oldest first. */
const pendingIn = ({ webhookDeliveries }: Tables, webhookId: string) =>
  Rows.slice(
    webhookDeliveries.values(),
    everything,
    (row) => row.webhookId === webhookId && row.status === "pending",
  );

const isDue = ({ nextAttemptAt }: Delivery, now: string) =>
  nextAttemptAt !== null && nextAttemptAt <= now;

const skip = (
  tables: Tables,
  [webhookId, reason, now, limit]: readonly [string, string, string, number],
) => {
  const rows = pendingIn(tables, webhookId)
    .filter((row) => row.claim === null || isDue(row, now))
    .slice(0, limit);
  for (const row of rows) {
    const ended = { claim: null, nextAttemptAt: null, lastError: reason };
    tables.webhookDeliveries.set(row.id, { ...row, ...ended, status: "skipped" });
  }
  return rows.length;
};

const webhooksOf = (database: Database["Service"]) => ({
  insert: (webhook: Omit<Webhook.WebhookRow, "seq">) =>
    database.write(({ webhooks }) => {
      const row = { ...webhook, seq: database.nextSeq() };
      webhooks.set(row.id, row);
      return row;
    }),
  update: (webhook: Webhook.WebhookRow) =>
    database.write(({ webhooks }) => {
      if (webhooks.get(webhook.id) !== undefined) webhooks.set(webhook.id, webhook);
    }),
  advance: (webhookIds: ReadonlyArray<string>, cursor: number) =>
    database.write(({ webhooks }) => {
      for (const id of webhookIds) {
        const row = webhooks.get(id);
        if (row !== undefined) webhooks.set(id, { ...row, cursor });
      }
    }),
  remove: (webhookId: string) =>
    database.write((tables) => {
      tables.webhooks.delete(webhookId);
      for (const row of secretsIn(tables)) {
        if (row.webhookId === webhookId) tables.webhookSecrets.delete(keyOf(row));
      }
    }),
  get: (webhookId: string) =>
    database.read(({ webhooks }) => Option.fromNullishOr(webhooks.get(webhookId))),
  list: database.read(webhooksIn),
});

const secretsOf = (database: Database["Service"]) => ({
  secrets: (webhookId: string) =>
    database.read((tables) => secretsIn(tables).filter((row) => row.webhookId === webhookId)),
  putSecrets: (rows: ReadonlyArray<Webhook.WebhookSecretRow>) =>
    database.write(({ webhookSecrets }) => {
      for (const row of rows) webhookSecrets.set(keyOf(row), row);
    }),
  removeSecret: (webhookId: string, name: Secret["name"]) =>
    database.write(({ webhookSecrets }) => {
      webhookSecrets.delete(keyOf({ webhookId, name }));
    }),
  secretsNotUnder: (keyId: string, after: Secret | null, limit: number) =>
    database.read((tables) =>
      secretsIn(tables)
        .filter((row) => row.keyId !== keyId && (after === null || compare(row, after) > 0))
        .slice(0, limit),
    ),
});

export const layer = Layer.effect(
  WebhookStore.WebhookStore,
  Effect.map(Database, (database) =>
    WebhookStore.WebhookStore.of({
      ...webhooksOf(database),
      ...secretsOf(database),
      queue: (added) =>
        database.write(({ webhookDeliveries }) =>
          added.map((delivery) => {
            const row = { ...delivery, seq: database.nextSeq() };
            webhookDeliveries.set(row.id, row);
            return row.seq;
          }),
        ),
      putDelivery: (row) =>
        database.write(({ webhookDeliveries }) => {
          if (webhookDeliveries.get(row.id) !== undefined) webhookDeliveries.set(row.id, row);
        }),
      delivery: (id) =>
        database.read(({ webhookDeliveries }) => Option.fromNullishOr(webhookDeliveries.get(id))),
      deliveries: (webhookId, { eventId, status }, slice) =>
        database.read(({ webhookDeliveries }) =>
          Rows.slice(
            webhookDeliveries.values(),
            slice,
            (row) =>
              row.webhookId === webhookId &&
              (status === undefined || row.status === status) &&
              (eventId === undefined || row.eventId === eventId),
          ),
        ),
      attempted: (webhookId) =>
        database.read(({ webhookDeliveries }) => {
          const newest = { limit: 1, order: "desc", after: null } as const;
          const [row] = Rows.slice(
            webhookDeliveries.values(),
            newest,
            (each) => each.webhookId === webhookId && each.attempts > 0,
          );
          return Option.fromNullishOr(row);
        }),
      due: (webhookId, kind, now, limit) =>
        database.read((tables) =>
          pendingIn(tables, webhookId)
            .filter((row) => isDue(row, now) && (row.attempts === 0) === (kind === "first"))
            .toSorted((a, b) => order(a.nextAttemptAt ?? "", b.nextAttemptAt ?? ""))
            .slice(0, limit),
        ),
      withDue: (now) =>
        database.read((tables) =>
          webhooksIn(tables)
            .filter(
              ({ id, status }) =>
                status === "enabled" && pendingIn(tables, id).some((row) => isDue(row, now)),
            )
            .map(({ id }) => id),
        ),
      claimed: (webhookId) =>
        database.read((tables) =>
          pendingIn(tables, webhookId).filter(({ claim }) => claim !== null),
        ),
      waiting: (webhookId, most) =>
        database.read((tables) => Math.min(most, pendingIn(tables, webhookId).length)),
      succeededSince: (webhookId, since) =>
        database.read(({ webhookDeliveries }) =>
          Array.from(webhookDeliveries.values()).some(
            (row) =>
              row.webhookId === webhookId && row.deliveredAt !== null && row.deliveredAt >= since,
          ),
        ),
      skip: (...request) => database.write((tables) => skip(tables, request)),
      oldestPending: database.read(({ webhookDeliveries }) => {
        const seqs = Array.from(webhookDeliveries.values())
          .filter(({ eventSeq, status }) => status === "pending" && eventSeq > 0)
          .map(({ eventSeq }) => eventSeq);
        return seqs.length === 0 ? Option.none() : Option.some(Math.min(...seqs));
      }),
      removeDeliveries: (webhookId, limit) =>
        database.write(({ webhookDeliveries }) =>
          Rows.prune(webhookDeliveries, limit, (row) => row.webhookId === webhookId),
        ),
      prune: (before, limit) =>
        database.write(({ webhookDeliveries }) =>
          Rows.prune(
            webhookDeliveries,
            limit,
            (row) => row.status !== "pending" && row.createdAt < before,
          ),
        ),
    }),
  ),
);
