import { assert, describe, it } from "@effect/vitest";
import { EventStore, Timestamp, WebhookStore } from "@quartermaster/core";
import { Callers, Storage, TestCore } from "@quartermaster/testing";
import { Clock, Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import * as Schedule from "../../src/deliveries/internal/Schedule.ts";
import * as Retention from "../../src/webhooks/Retention.ts";
import { admin } from "../support/McpWorld.ts";
import * as TestStorage from "../support/Storage.ts";
import { check, deliver, deliveries, hook, hooks, issue } from "../support/WebhookWorld.ts";

describe("The times of webhooks", () => {
  const start = "2026-11-28T12:00:00.000Z";
  /** The seconds from each failed attempt to the next one. */
  const waits = (spread: number) =>
    Array.from({ length: 10 }, (_, index) => {
      const next = Schedule.next(index + 1, null, spread, start);
      return next === null ? null : Timestamp.secondsBetween(start, next);
    });
  const hours = [2, 5, 10, 14, 20, 24].map((count) => count * 3_600);
  const expected = [5, 300, 1_800, ...hours];

  it("[webhooks.schedule] the waits are 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h, each ±10 %", () => {
    for (const [spread, factor] of [
      [0, 0.9],
      [0.5, 1],
      [1, 1.1],
    ] as const) {
      const actual = waits(spread);
      assert.isNull(actual[9]);
      for (const [index, seconds] of expected.entries()) {
        assert.approximately(actual[index] ?? 0, seconds * factor, 0.001);
      }
    }
  });

  check(
    "[webhooks.retention] a delivery is removed when it is 14 days old, and not before",
    Effect.gen(function* () {
      const { id } = yield* hook();
      yield* issue();
      yield* deliver;
      const { prune } = yield* Retention.make;
      yield* TestClock.adjust("14 days");
      yield* Storage.transact(prune);
      assert.lengthOf(yield* deliveries(id), 1);
      yield* TestClock.adjust("1 second");
      yield* Storage.transact(prune);
      assert.lengthOf(yield* deliveries(id), 0);
    }),
  );

  it.effect("[webhooks.failing] webhook.failing is reported at most once a day", () => {
    const full = TestStorage.altered(WebhookStore.WebhookStore, ({ waiting }) => ({
      waiting: (webhookId, most) =>
        most > 100_000
          ? Effect.map(waiting(webhookId, 1), (count) => count * most)
          : waiting(webhookId, most),
    }));
    return Effect.gen(function* () {
      const { id } = yield* hook();
      const failingReports = Effect.gen(function* () {
        yield* hooks((service) => service.update(id, { status: "enabled" }));
        yield* issue();
        yield* deliver;
        assert.strictEqual((yield* hooks((service) => service.get(id))).status, "failing");
        const events = yield* EventStore.EventStore;
        const kinds = ["webhook.failing"] as const;
        return yield* events.list({ projects: null, kinds }, { after: 0, until: 999, limit: 99 });
      });
      assert.lengthOf(yield* failingReports, 1);
      yield* TestClock.adjust("23 hours");
      assert.lengthOf(yield* failingReports, 1);
      yield* TestClock.adjust("1 hour");
      assert.lengthOf(yield* failingReports, 2);
    }).pipe(
      Callers.as(admin),
      Effect.provide(
        Layer.provide(
          TestCore.layerMcpWith({ storage: full }),
          Layer.succeed(Clock.Clock, Clock.Clock.defaultValue()),
        ),
      ),
    );
  });
});
