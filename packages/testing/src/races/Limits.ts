import { assert } from "@effect/vitest";
import { SavedViews, Webhook, Webhooks, WebhookStore } from "@quartermaster/core";
import { Effect, Result } from "effect";
import * as Callers from "../model/Callers.ts";
import type { Race } from "./World.ts";

/** Races over limits of how many there may be. */

const admin = Callers.as(Callers.user("root", { role: "Admin" }));

const createWebhook = admin(
  Webhooks.Webhooks.use((webhooks) =>
    webhooks.create({ url: "https://example.com/hooks", name: "A webhook", kinds: ["issue.*"] }),
  ),
);

/** The limit of views of a user. */
const maxViews = 100;

export const races: ReadonlyArray<Race> = [
  {
    name: "of two webhooks, the one beyond the limit is not created",
    check: Effect.fnUntraced(function* ({ both, run }) {
      const stored = yield* run(WebhookStore.WebhookStore.use((store) => store.list));
      yield* Effect.replicateEffect(
        run(createWebhook),
        Math.max(0, Webhook.maxWebhooks - 1 - stored.length),
      );
      const results = yield* both(createWebhook, createWebhook);
      const [created, ...others] = results.filter(Result.isSuccess);
      assert.lengthOf(others, 0);
      assert.deepStrictEqual(
        results.filter(Result.isFailure).map(({ failure }) => failure._tag),
        ["LimitExceeded"],
      );
      const id = created?.success.id ?? "";
      yield* run(admin(Webhooks.Webhooks.use((webhooks) => webhooks.remove(id))));
    }),
  },
  {
    name: "of two saved views, the one beyond the limit is not created",
    check: Effect.fnUntraced(function* ({ agentId: userId, both, run }) {
      const asUser = Callers.as(Callers.user(userId));
      const create = asUser(
        SavedViews.SavedViews.use((views) => views.create({ name: "A view", query: "ready=true" })),
      );
      yield* Effect.replicateEffect(run(create), maxViews - 1);
      const results = yield* both(create, create);
      assert.lengthOf(results.filter(Result.isSuccess), 1);
      assert.deepStrictEqual(
        results.filter(Result.isFailure).map(({ failure }) => failure._tag),
        ["LimitExceeded"],
      );
    }),
  },
];
