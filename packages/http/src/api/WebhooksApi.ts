import { Id, Webhook, WebhookDelivery } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, management } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { idempotencyKey, paging } from "./Query.ts";

const path = "/api/webhooks";
const one = `${path}/:webhookId` as const;
const params = { webhookId: Id.ServiceId.annotateKey({ description: "The webhook's id." }) };
const ofDelivery = {
  ...params,
  deliveryId: Id.ServiceId.annotateKey({ description: "The delivery's id." }),
};

const list = HttpApiEndpoint.get("list", path, {
  success: Schema.Array(Webhook.Webhook),
}).annotateMerge(
  about({
    summary: "List webhooks",
    description: "Returns every webhook without its secret, oldest first.",
    access: management,
  }),
);

const create = HttpApiEndpoint.post("create", path, {
  headers: idempotencyKey,
  payload: Webhook.WebhookCreate.annotate({
    examples: [
      { url: "https://example.com/hooks", name: "Build", kinds: ["issue.*", "run.*"] },
      {
        url: "https://hooks.slack.com/services/T0/B0/secret",
        name: "Slack",
        kinds: ["attention"],
        format: "text",
      },
    ],
  }),
  success: Webhook.WebhookCreated.pipe(HttpApiSchema.status(201)),
  error: [
    Problem.HttpsRequired,
    Problem.LimitExceeded,
    Problem.NotFound,
    Problem.IdempotencyMismatch,
  ],
}).annotateMerge(
  about({
    summary: "Create a webhook",
    description:
      "The webhook gets the events after this one. Only this response contains `secret`. Requires HTTPS.",
    access: management,
    idempotencyKey: "honoured",
    carriesSecrets: true,
  }),
);

const get = HttpApiEndpoint.get("get", one, {
  params,
  success: Webhook.Webhook,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Get a webhook",
    description: "Returns the webhook without its secret, and with a shortened URL.",
    access: management,
  }),
);

const update = HttpApiEndpoint.put("update", one, {
  params,
  payload: Webhook.WebhookUpdate.annotate({
    examples: [{ kinds: ["attention"] }, { status: "enabled" }],
  }),
  success: Webhook.Webhook,
  error: [Problem.HttpsRequired, Problem.NotFound],
}).annotateMerge(
  about({
    summary: "Change a webhook",
    description:
      "`disabled` skips what waits for it. `enabled` starts with the next event, also for a webhook that is failing. Requires HTTPS.",
    access: management,
    carriesSecrets: true,
  }),
);

const remove = HttpApiEndpoint.delete("delete", one, {
  params,
  success: HttpApiSchema.NoContent,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Delete a webhook",
    description: "Deletes the webhook with its secrets and deliveries.",
    access: management,
  }),
);

const rotate = HttpApiEndpoint.post("rotate", `${one}/rotate`, {
  params,
  payload: Webhook.WebhookRotate,
  success: Webhook.WebhookRotated,
  error: [Problem.HttpsRequired, Problem.NotFound, Problem.RotationOpen],
}).annotateMerge(
  about({
    summary: "Rotate the secret of a webhook",
    description:
      "Sets a new secret and returns it. Requests are signed with both secrets for 24 hours; a second rotation within them is 409 `rotation-open`. Requires HTTPS.",
    access: management,
    idempotencyKey: "refused",
    carriesSecrets: true,
    bodyIsOptional: true,
  }),
);

const test = HttpApiEndpoint.post("test", `${one}/test`, {
  params,
  success: WebhookDelivery.WebhookDelivery,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Send a test to a webhook",
    description:
      "Sends an event of the kind `webhook.test` once, and returns its delivery when the receiver responded or 15 seconds are over. It is `failed` if the receiver did not accept it.",
    access: management,
    idempotencyKey: "refused",
  }),
);

const deliveries = HttpApiEndpoint.get("deliveries", `${one}/deliveries`, {
  params,
  query: { ...WebhookDelivery.DeliveryFilter.fields, ...paging },
  success: Schema.Array(WebhookDelivery.WebhookDelivery),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "List the deliveries of a webhook",
    description: "Returns the deliveries of the last 14 days, newest first by default; paged.",
    access: management,
  }),
);

const retry = HttpApiEndpoint.post("retry", `${one}/deliveries/:deliveryId/retry`, {
  params: ofDelivery,
  success: WebhookDelivery.WebhookDelivery.pipe(HttpApiSchema.status(202)),
  error: [Problem.NotFound, Problem.DeliveryPending],
}).annotateMerge(
  about({
    summary: "Retry a delivery",
    description:
      "Makes the delivery due now. A delivery that ended gets all its attempts again. While an attempt is in flight, responds with 409 `delivery-pending`.",
    access: management,
    idempotencyKey: "refused",
  }),
);

const replay = HttpApiEndpoint.post("replay", `${one}/replay`, {
  params,
  payload: Webhook.WebhookReplay.annotate({
    examples: [{ from: "2026-11-21T00:00:00Z" }, { after: "evt_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA" }],
  }),
  success: Webhook.WebhookReplayed.pipe(HttpApiSchema.status(202)),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Send events to a webhook again",
    description:
      "Sends the retained events that the webhook gets now: after an event, or since a time. At most 10,000, oldest first.",
    access: management,
    idempotencyKey: "refused",
  }),
);

/** Webhooks and their deliveries. */
export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(list, create, get, update, remove, rotate, test, deliveries, retry, replay)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhooks",
      description: "URLs to which the service sends events.",
    }),
  ) {}
