import { it } from "@effect/vitest";
import {
  Deliverer,
  EventStore,
  Issues,
  type Principal,
  type Webhook,
  type WebhookDelivery,
  Webhooks,
  WebhookStore,
} from "@quartermaster/core";
import { Callers, ScriptedSender, type TestCore } from "@quartermaster/testing";
import { Clock, Effect, Layer } from "effect";
import { admin } from "./McpWorld.ts";
import * as TestStorage from "./Storage.ts";

/** Webhooks with scripted receivers. */

/** The services, whose background work has the real clock: a test skips days at no cost. */
const layer = Layer.provide(
  TestStorage.layerMcp,
  Layer.succeed(Clock.Clock, Clock.Clock.defaultValue()),
);

/** A test of the services. An Admin makes its calls, except calls with `as`. */
export const check = <A, E>(
  name: string,
  body: Effect.Effect<A, E, TestCore.McpServices | Principal.CurrentPrincipal>,
): void => it.effect(name, () => body.pipe(Callers.as(admin), Effect.provide(layer)));

type Create = typeof Webhook.WebhookCreate.Encoded;

export const secretUrl = "https://hooks.example.com/services/T0/B0/s3cr3t?token=abc";

export const hook = (input: Partial<Create> = {}) =>
  Webhooks.Webhooks.use((webhooks) =>
    webhooks.create({ url: secretUrl, name: "Chat", kinds: ["issue.*"], ...input }),
  );

export const hooks = <A, E, R>(
  f: (service: Webhooks.Webhooks["Service"]) => Effect.Effect<A, E, R>,
) => Webhooks.Webhooks.use(f);

/** Queues what is new and makes the due attempts, as a node does twice a second. */
export const deliver = Deliverer.Deliverer.use(({ once }) => once);

export const script = ScriptedSender.ScriptedSender.use((found) => Effect.succeed(found));

/** The receivers respond with this from now on. */
export const responding = (
  response: Effect.Success<ReturnType<ScriptedSender.Script["respond"]>>,
) =>
  Effect.map(script, (found) => {
    found.respond = () => Effect.succeed(response);
  });

/** The bodies that receivers got since the last call, in the order of their events: they are sent at the same time. */
export const received = Effect.gen(function* () {
  const found = yield* script;
  const events = yield* EventStore.EventStore;
  const all = yield* events.list(
    { projects: null, kinds: null },
    { after: 0, until: 10_000, limit: 10_000 },
  );
  const places = new Map(all.map(({ id }, index) => [id, index]));
  const placeOf = ({ headers }: (typeof found.received)[number]) =>
    places.get(headers["webhook-id"] ?? "") ?? all.length;
  return found.received
    .splice(0)
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map(({ body }) => JSON.parse(body));
});

/** The kinds of the events that receivers got since the last call. */
export const kinds = Effect.map(received, (bodies) => bodies.map(({ type }) => type as string));

export const issue = (title = "Mend the roof", projectId = "shop") =>
  Issues.Issues.use((issues) => issues.create(projectId, { title }));

export const deliveries = (webhookId: string, filter: WebhookDelivery.DeliveryFilter = {}) =>
  Effect.map(
    Webhooks.Webhooks.use((webhooks) => webhooks.deliveries(webhookId, filter)),
    ({ items }) => items,
  );

export const store = WebhookStore.WebhookStore.use((found) => Effect.succeed(found));
