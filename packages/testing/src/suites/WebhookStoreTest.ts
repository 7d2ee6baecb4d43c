import { assert, describe } from "@effect/vitest";
import { type WebhookDelivery, WebhookStore } from "@quartermaster/core";
import { Effect, type Layer, Option } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, checkPaging, everything, ids, type It } from "../Suite.ts";

const { at } = Fixtures;

export const webhooks = (it: It<Storage>): void => {
  it.effect("a webhook is stored, changed, listed and removed with its sealed values", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore.WebhookStore;
      const first = yield* Fixtures.webhook();
      const second = yield* Fixtures.webhook({ projectId: null, kinds: ["mcp.failed"] });
      assert.deepStrictEqual(yield* store.get(first.id), Option.some(first));
      assert.deepStrictEqual(yield* store.list, [first, second]);
      const changed = {
        ...first,
        name: "Other",
        status: "failing",
        statusReason: "noSuccess",
        cursor: 7,
        previousUntil: at(9),
        timeouts: 5,
        probeAt: at(8),
        failingAt: at(7),
      } as const;
      yield* transact(store.update(changed));
      yield* transact(store.advance([second.id], 12));
      assert.deepStrictEqual(yield* store.list, [changed, { ...second, cursor: 12 }]);

      const [secret, url] = [
        Fixtures.webhookSecretRow(first.id, "secret"),
        Fixtures.webhookSecretRow(first.id, "url"),
      ];
      const kept = Fixtures.webhookSecretRow(second.id, "url");
      yield* transact(store.putSecrets([url, secret, kept]));
      assert.deepStrictEqual(yield* store.secrets(first.id), [secret, url]);
      const replaced = { ...secret, sealed: "bmV3" };
      yield* transact(store.putSecrets([replaced]));
      yield* transact(store.removeSecret(first.id, "url"));
      assert.deepStrictEqual(yield* store.secrets(first.id), [replaced]);

      yield* transact(store.remove(first.id));
      assert.deepStrictEqual(yield* store.get(first.id), Option.none());
      assert.deepStrictEqual(yield* store.secrets(first.id), []);
      assert.deepStrictEqual(yield* store.secrets(second.id), [kept]);
    }),
  );

  it.effect("values under other keys are listed by webhook and name, in pages", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore.WebhookStore;
      const { id } = yield* Fixtures.webhook();
      const rows = (["previous", "secret", "url"] as const).map((name) =>
        Fixtures.webhookSecretRow(id, name, { keyId: name === "secret" ? "new" : "old" }),
      );
      yield* transact(store.putSecrets(rows));
      const ofWebhook = (after: (typeof rows)[number] | null, limit: number) =>
        Effect.map(store.secretsNotUnder("new", after, limit), (found) =>
          found.filter(({ webhookId }) => webhookId === id),
        );
      const [previous, , url] = rows;
      assert.deepStrictEqual(yield* ofWebhook(null, 100), [previous, url]);
      assert.deepStrictEqual(yield* ofWebhook(previous ?? null, 1), [url]);
      assert.deepStrictEqual(yield* ofWebhook(url ?? null, 1), []);
    }),
  );
};

export const deliveries = (it: It<Storage>): void => {
  it.effect("deliveries are paged, and filtered by status and event", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore.WebhookStore;
      const { id } = yield* Fixtures.webhook();
      yield* checkPaging(
        (slice) => store.deliveries(id, {}, slice),
        Effect.map(Fixtures.delivery(id), (row) => row.id),
      );
      const failed = yield* Fixtures.delivery(id, { status: "failed", eventId: "evt_2" });
      assert.deepStrictEqual(yield* store.deliveries(id, { status: "failed" }, everything), [
        failed,
      ]);
      assert.deepStrictEqual(yield* store.deliveries(id, { eventId: "evt_2" }, everything), [
        failed,
      ]);
      assert.deepStrictEqual(
        yield* store.deliveries(id, { eventId: "evt_2", status: "pending" }, everything),
        [],
      );
    }),
  );

  it.effect("queue returns the seq of each delivery, and an attempt changes it", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore.WebhookStore;
      const { id } = yield* Fixtures.webhook();
      const rows = [yield* Fixtures.deliveryRow(id), yield* Fixtures.deliveryRow(id)] as const;
      const seqs = yield* transact(store.queue(rows));
      assert.lengthOf(seqs, 2);
      const [first] = rows;
      const next: WebhookDelivery.DeliveryRow = {
        ...first,
        seq: seqs[0] ?? 0,
        status: "delivered",
        attempts: 2,
        nextAttemptAt: null,
        lastStatus: 204,
        lastError: "late",
        lastResponse: "ok",
        durationMs: 12,
        deliveredAt: at(5),
      };
      assert.deepStrictEqual(yield* store.attempted(id), Option.none());
      yield* transact(store.putDelivery(next));
      assert.deepStrictEqual(yield* store.delivery(first.id), Option.some(next));
      assert.deepStrictEqual(yield* store.attempted(id), Option.some(next));
      assert.isTrue(yield* store.succeededSince(id, at(5)));
      assert.isFalse(yield* store.succeededSince(id, at(6)));
      assert.strictEqual(yield* store.waiting(id, 10), 1);
    }),
  );

  it.effect("due lists first attempts or retries, by their times", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore.WebhookStore;
      const { id } = yield* Fixtures.webhook();
      const late = yield* Fixtures.delivery(id, { nextAttemptAt: at(2) });
      const early = yield* Fixtures.delivery(id, { nextAttemptAt: at(1) });
      const retry = yield* Fixtures.delivery(id, { nextAttemptAt: at(1), attempts: 3 });
      const ended = { status: "failed", attempts: 10, nextAttemptAt: null } as const;
      yield* Fixtures.delivery(id, ended);
      const due = (kind: WebhookStore.DueKind, now: number, limit = 10) =>
        Effect.map(store.due(id, kind, at(now), limit), ids);
      assert.deepStrictEqual(yield* due("first", 2), [early.id, late.id]);
      assert.deepStrictEqual(yield* due("first", 2, 1), [early.id]);
      assert.deepStrictEqual(yield* due("first", 1), [early.id]);
      assert.deepStrictEqual(yield* due("retry", 1), [retry.id]);
      assert.deepStrictEqual(yield* due("retry", 0), []);
      const withDue = (now: number) =>
        Effect.map(store.withDue(at(now)), (found) => found.filter((each) => each === id));
      assert.deepStrictEqual(yield* withDue(0), []);
      assert.deepStrictEqual(yield* withDue(1), [id]);
      yield* transact(
        Effect.flatMap(store.get(id), (row) =>
          store.update({ ...Option.getOrThrow(row), status: "disabled" }),
        ),
      );
      assert.deepStrictEqual(yield* withDue(1), []);
    }),
  );

  it.effect("skip ends what waits, except attempts that are in flight", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore.WebhookStore;
      const { id } = yield* Fixtures.webhook();
      const inFlight = yield* Fixtures.delivery(id, { claim: "a", nextAttemptAt: at(60) });
      const lost = yield* Fixtures.delivery(id, { claim: "b", nextAttemptAt: at(1) });
      const waiting = yield* Fixtures.delivery(id, { nextAttemptAt: at(90), attempts: 1 });
      assert.deepStrictEqual(ids(yield* store.claimed(id)), [inFlight.id, lost.id]);
      assert.strictEqual(yield* store.waiting(id, 2), 2);
      assert.strictEqual(yield* transact(store.skip(id, "Off.", at(2), 1)), 1);
      assert.strictEqual(yield* transact(store.skip(id, "Off.", at(2), 10)), 1);
      assert.strictEqual(yield* transact(store.skip(id, "Off.", at(2), 10)), 0);
      const skipped = yield* store.deliveries(id, { status: "skipped" }, everything);
      assert.deepStrictEqual(ids(skipped), [lost.id, waiting.id]);
      for (const row of skipped) {
        assert.deepInclude(row, { claim: null, nextAttemptAt: null, lastError: "Off." });
      }
    }),
  );

  it.effect("the events of pending deliveries are known, and ended deliveries are removed", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore.WebhookStore;
      const { id } = yield* Fixtures.webhook();
      // Earlier than the deliveries of other tests, which share the table.
      const old = at(-10_000);
      const row = { eventSeq: -5, createdAt: old };
      const pending = yield* Fixtures.delivery(id, { ...row, eventSeq: 1 });
      yield* Fixtures.delivery(id, { eventSeq: 0 });
      for (const status of ["failed", "skipped", "delivered"] as const) {
        yield* Fixtures.delivery(id, { ...row, status, nextAttemptAt: null });
      }
      assert.deepStrictEqual(yield* store.oldestPending, Option.some(1));
      assert.strictEqual(yield* transact(store.prune(at(-9_999), 2)), 2);
      assert.strictEqual(yield* transact(store.prune(at(-9_999), 9)), 1);
      assert.strictEqual(yield* transact(store.prune(at(-9_999), 9)), 0);
      assert.strictEqual((yield* store.delivery(pending.id))._tag, "Some");
      assert.strictEqual(yield* transact(store.removeDeliveries(id, 1)), 1);
      assert.strictEqual(yield* transact(store.removeDeliveries(id, 9)), 1);
      assert.strictEqual(yield* transact(store.removeDeliveries(id, 9)), 0);
    }),
  );
};

/** The requirements of every `WebhookStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`WebhookStore: ${name}`, () => {
    block("webhooks", storage, webhooks);
    block("deliveries", storage, deliveries);
  });
};
