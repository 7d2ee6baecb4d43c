import { Effect, Redacted } from "effect";
import * as Principal from "../../access/Principal.ts";
import { LimitExceeded } from "../../CommonErrors.ts";
import { EventStore } from "../../events/EventStore.ts";
import * as Id from "../../Id.ts";
import { Idempotency } from "../../idempotency/Idempotency.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { maxWebhooks, WebhookCreate } from "../../webhooks/Webhook.ts";
import { WebhookStore } from "../../webhooks/WebhookStore.ts";
import * as WebhookUrl from "../WebhookUrl.ts";
import * as Changes from "./Changes.ts";
import * as Secrets from "./Secrets.ts";
import * as Subscriptions from "./Subscriptions.ts";
import * as WebhookRecords from "./WebhookRecords.ts";

/** The creation and the reading of webhooks. */
export const make = Effect.gen(function* () {
  const store = yield* WebhookStore;
  const events = yield* EventStore;
  const idempotency = yield* Idempotency;
  const newId = yield* Id.generator;
  const { transact } = yield* Transactor;
  const { secretOf } = yield* Secrets.make;
  const changes = yield* Changes.make;
  const { checkUrl, find, seal, toWebhook } = yield* WebhookRecords.make;
  const decodeCreate = Input.decoder(WebhookCreate);

  const create = Span.fn("Webhooks.create")(function* (input: typeof WebhookCreate.Encoded) {
    const principal = yield* Principal.requireUnbound("Admin");
    const body = yield* decodeCreate(input);
    const { format = "standard", kinds, projectId = null } = body;
    yield* checkUrl(body.url);
    yield* Subscriptions.check(kinds, projectId);
    const secret = yield* secretOf(body.secret);
    const cursor = yield* events.lastSeq;
    const make = Effect.gen(function* () {
      if ((yield* store.list).length >= maxWebhooks) {
        return yield* new LimitExceeded({ limit: maxWebhooks });
      }
      const now = yield* Timestamp.now;
      const row = yield* store.insert({
        id: yield* newId("whk"),
        url: WebhookUrl.shown(body.url),
        name: body.name,
        kinds: [...new Set(kinds)],
        projectId,
        format,
        status: "enabled",
        statusReason: null,
        secretSetAt: now,
        createdBy: Principal.actorOf(principal),
        createdAt: now,
        updatedAt: now,
        cursor,
        previousUntil: null,
        timeouts: 0,
        probeAt: null,
        failingAt: null,
      });
      yield* seal(row.id, { url: Redacted.make(body.url), secret });
      yield* changes.report("webhook.created", row, row.createdBy);
      yield* changes.note("webhook.created", row, row.createdBy);
      return { ...(yield* toWebhook(row)), secret: Redacted.value(secret) as string | null };
    });
    return yield* transact(
      idempotency.once({
        make,
        find: (id) =>
          Effect.map(Effect.flatMap(find(id), toWebhook), (found) => ({ ...found, secret: null })),
      }),
    );
  });

  const list = Effect.gen(function* () {
    yield* Principal.requireUnbound("Admin");
    return yield* Effect.forEach(yield* store.list, toWebhook);
  }).pipe(Effect.withSpan("Webhooks.list"));

  const get = Span.fn("Webhooks.get")(function* (webhookId: string) {
    yield* Principal.requireUnbound("Admin");
    return yield* toWebhook(yield* find(webhookId));
  });

  return { create, list, get };
});
