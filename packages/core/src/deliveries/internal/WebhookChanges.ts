import { Effect, Equal, Option, Redacted } from "effect";
import * as Principal from "../../access/Principal.ts";
import { EventStore } from "../../events/EventStore.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import { SecretBox } from "../../secrets/SecretBox.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import {
  ownerOf,
  rotationSeconds,
  WebhookRotate,
  type WebhookRow,
  WebhookUpdate,
} from "../../webhooks/Webhook.ts";
import { RotationOpen } from "../../webhooks/WebhookErrors.ts";
import { WebhookStore } from "../../webhooks/WebhookStore.ts";
import * as WebhookUrl from "../WebhookUrl.ts";
import * as Changes from "./Changes.ts";
import * as Secrets from "./Secrets.ts";
import * as Subscriptions from "./Subscriptions.ts";
import * as WebhookRecords from "./WebhookRecords.ts";

/** Deliveries that are removed per transaction. */
const removedAtOnce = 1_000;

/** The fields, other than the URL, that a caller changes. */
const updatable = ["name", "kinds", "projectId", "format", "status"] as const;

/** The changing and the deletion of webhooks, and the rotation of their secrets. */
export const make = Effect.gen(function* () {
  const store = yield* WebhookStore;
  const events = yield* EventStore;
  const box = yield* SecretBox;
  const { transact } = yield* Transactor;
  const { secretOf } = yield* Secrets.make;
  const changes = yield* Changes.make;
  const { checkUrl, find, seal, toWebhook } = yield* WebhookRecords.make;
  const decodeUpdate = Input.decoder(WebhookUpdate);
  const decodeRotate = Input.decoder(WebhookRotate);

  const update = Span.fn("Webhooks.update")(function* (
    webhookId: string,
    input: typeof WebhookUpdate.Encoded,
  ) {
    const principal = yield* Principal.requireUnbound("Admin");
    const body = yield* decodeUpdate(input);
    const before = yield* find(webhookId);
    const url = body.url === before.url ? undefined : body.url;
    if (url !== undefined) yield* checkUrl(url);
    // Deliveries that waited for a webhook that was not enabled are not sent later.
    if (body.status === "enabled" && before.status !== "enabled") {
      yield* changes.skipWaiting(webhookId);
    }
    const last = yield* events.lastSeq;
    const next = yield* transact(
      Effect.gen(function* () {
        const row = yield* find(webhookId);
        const kinds = body.kinds ?? row.kinds;
        const projectId = body.projectId === undefined ? row.projectId : body.projectId;
        yield* Subscriptions.check(kinds, projectId);
        const { status = row.status } = body;
        const starts = status === "enabled" && row.status !== "enabled";
        const next: WebhookRow = {
          ...row,
          url: url === undefined ? row.url : WebhookUrl.shown(url),
          name: body.name ?? row.name,
          kinds: [...new Set(kinds)],
          projectId,
          format: body.format ?? row.format,
          status,
          statusReason: status === row.status ? row.statusReason : null,
          updatedAt: yield* Timestamp.now,
          ...(starts ? { cursor: Math.max(last, row.cursor), timeouts: 0, probeAt: null } : {}),
        };
        yield* store.update(next);
        if (url !== undefined) yield* seal(webhookId, { url: Redacted.make(url) });
        const actor = Principal.actorOf(principal);
        yield* changes.report("webhook.updated", next, actor);
        const changed = updatable.filter((field) => !Equal.equals(next[field], row[field]));
        // The shown part of a new URL may be equal.
        const names = url === undefined ? changed : ["url", ...changed];
        yield* changes.note("webhook.updated", next, actor, names);
        return next;
      }),
    );
    if (next.status !== "enabled") yield* changes.skipWaiting(webhookId);
    return yield* toWebhook(next);
  });

  const remove = Span.fn("Webhooks.remove")(function* (webhookId: string) {
    const principal = yield* Principal.requireUnbound("Admin");
    const actor = Principal.actorOf(principal);
    const stop = Effect.flatMap(find(webhookId), (row) =>
      row.status === "disabled" ? Effect.void : changes.setStatus(row, "disabled", null, actor),
    );
    yield* transact(stop);
    yield* transact(store.removeDeliveries(webhookId, removedAtOnce)).pipe(
      Effect.repeat({ while: (count) => count > 0 }),
    );
    yield* transact(
      Effect.gen(function* () {
        const row = yield* find(webhookId);
        yield* store.removeDeliveries(webhookId, removedAtOnce);
        yield* store.remove(webhookId);
        yield* changes.report("webhook.deleted", row, actor);
        yield* changes.note("webhook.deleted", row, actor);
      }),
    );
  });

  const rotate = Span.fn("Webhooks.rotate")(function* (
    webhookId: string,
    input: typeof WebhookRotate.Encoded,
  ) {
    const principal = yield* Principal.requireUnbound("Admin");
    const secret = yield* secretOf((yield* decodeRotate(input)).secret);
    return yield* transact(
      Effect.gen(function* () {
        const row = yield* find(webhookId);
        const now = yield* Timestamp.now;
        if (row.previousUntil !== null && row.previousUntil > now) {
          return yield* new RotationOpen();
        }
        const current = (yield* store.secrets(webhookId)).find(({ name }) => name === "secret");
        const opened =
          current === undefined
            ? Option.none()
            : yield* Effect.option(box.open(ownerOf(current), current));
        const previous = Option.getOrUndefined(opened);
        if (previous === undefined) yield* store.removeSecret(webhookId, "previous");
        yield* seal(webhookId, { secret, ...(previous === undefined ? {} : { previous }) });
        const next: WebhookRow = {
          ...row,
          secretSetAt: now,
          updatedAt: now,
          previousUntil: previous === undefined ? null : Timestamp.addSeconds(now, rotationSeconds),
        };
        yield* store.update(next);
        const actor = Principal.actorOf(principal);
        yield* changes.report("webhook.updated", next, actor);
        yield* changes.note("webhook.rotated", next, actor);
        return { ...(yield* toWebhook(next)), secret: Redacted.value(secret) };
      }),
    );
  });

  return { update, remove, rotate };
});
