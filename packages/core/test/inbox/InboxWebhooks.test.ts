import { assert, describe } from "@effect/vitest";
import { Inbox, Principal, Timestamp } from "@quartermaster/core";
import { Callers, Storage } from "@quartermaster/testing";
import { Effect, Option } from "effect";
import { check, hook, hooks, store } from "../support/WebhookWorld.ts";

const items = Inbox.Inbox.use((inbox) => Effect.map(inbox.list(), (page) => page.items));

describe("Webhooks in the inbox", () => {
  check(
    "[inbox.webhook] a failing webhook is there for unbound Admins until it is enabled",
    Effect.gen(function* () {
      const { id } = yield* hook();
      assert.deepStrictEqual(yield* items, []);
      const found = yield* store;
      const row = Option.getOrThrow(yield* found.get(id));
      const failing = { ...row, status: "failing", statusReason: "noSuccess" } as const;
      yield* Storage.transact(found.update(failing));
      const [item, ...others] = yield* items;
      assert.deepStrictEqual(others, []);
      assert.deepInclude(item, {
        kind: "webhookFailing",
        since: row.updatedAt,
        priority: "high",
        webhookId: id,
        serverId: null,
        title: "Chat",
      });
      assert.include(item?.detail, "none succeeded for 72 hours");
      for (const caller of [
        Principal.user("eve", "Editor"),
        Callers.user("eve", { role: "Admin", projects: ["shop"] }),
      ]) {
        assert.deepStrictEqual(yield* items.pipe(Callers.as(caller)), []);
      }
      const until = Timestamp.addSeconds(row.updatedAt, 3_600);
      const snoozed = [{ kind: "webhookFailing", id }] as const;
      yield* Inbox.Inbox.use((inbox) => inbox.snooze({ items: snoozed, until }));
      assert.deepStrictEqual(yield* items, []);
      yield* Inbox.Inbox.use((inbox) => inbox.snooze({ items: snoozed, until: null }));
      assert.lengthOf(yield* items, 1);
      yield* hooks((service) => service.update(id, { status: "enabled" }));
      assert.deepStrictEqual(yield* items, []);
    }),
  );
});
