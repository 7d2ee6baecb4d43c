import { Webhooks } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const webhooks = yield* Webhooks.Webhooks;

    return Handlers.of("webhooks", {
      list: () => Reply.ok(webhooks.list),
      create: ({ payload }) =>
        Reply.created(webhooks.create(payload), ({ id }) => `/api/webhooks/${id}`),
      get: ({ params }) => Reply.ok(webhooks.get(params.webhookId)),
      update: ({ params, payload }) => Reply.ok(webhooks.update(params.webhookId, payload)),
      delete: ({ params }) => Reply.noContent(webhooks.remove(params.webhookId)),
      rotate: ({ params, payload }) => Reply.ok(webhooks.rotate(params.webhookId, payload)),
      test: ({ params }) => Reply.ok(webhooks.test(params.webhookId)),
      deliveries: ({ params, query }) =>
        Reply.page(query, (page) => webhooks.deliveries(params.webhookId, page)),
      retry: ({ params }) => Reply.queued(webhooks.retry(params.webhookId, params.deliveryId)),
      replay: ({ params, payload }) => Reply.queued(webhooks.replay(params.webhookId, payload)),
    });
  }),
);
