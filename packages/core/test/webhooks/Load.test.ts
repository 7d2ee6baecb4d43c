import { assert, describe, it } from "@effect/vitest";
import { Deliverer, EventStore, Transactor, WebhookStore } from "@quartermaster/core";
import { Callers, Fixtures, TestCore } from "@quartermaster/testing";
import { Clock, Deferred, Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { admin } from "../support/McpWorld.ts";
import * as TestStorage from "../support/Storage.ts";
import {
  check,
  deliver,
  deliveries,
  hook,
  hooks,
  issue,
  received,
  responding,
  script,
} from "../support/WebhookWorld.ts";

/** Nodes over one storage, whose receivers are the same. */
const nodes = (count: number) =>
  Effect.gen(function* () {
    const shared = yield* Layer.build(Layer.merge(TestStorage.storage, TestCore.scripted));
    const layer = Layer.provide(
      TestCore.layerMcpWith({
        storage: Layer.succeedContext(shared),
        scripted: Layer.succeedContext(shared),
      }),
      Layer.succeed(Clock.Clock, Clock.Clock.defaultValue()),
    );
    return yield* Effect.forEach(Array.from({ length: count }), () =>
      Layer.build(Layer.fresh(layer)),
    );
  });

const layerOn = (storage: typeof TestStorage.storage) =>
  Layer.provide(
    TestCore.layerMcpWith({ storage }),
    Layer.succeed(Clock.Clock, Clock.Clock.defaultValue()),
  );

const of = (rows: ReadonlyArray<{ readonly status: string }>, status: string) =>
  rows.filter((row) => row.status === status).length;

describe("The load of webhooks", () => {
  it.effect(
    "[webhooks.nodes] nodes send each event once together, at most 4 at the same time",
    () =>
      Effect.gen(function* () {
        const [first, second, third] = yield* nodes(3);
        if (first === undefined || second === undefined || third === undefined) return;
        const all = [first, second, third];
        yield* Effect.gen(function* () {
          const found = yield* script;
          let inFlight = 0;
          let most = 0;
          found.respond = () =>
            Effect.gen(function* () {
              inFlight += 1;
              most = Math.max(most, inFlight);
              yield* Effect.yieldNow;
              yield* Effect.yieldNow;
              inFlight -= 1;
              return { status: 200 };
            });
          const { id } = yield* hook();
          yield* Effect.repeat(issue(), { times: 59 });
          for (let round = 0; round < 20; round += 1) {
            yield* Effect.forEach(
              all,
              (node) => Deliverer.Deliverer.use(({ once }) => once).pipe(Effect.provide(node)),
              { concurrency: 3 },
            );
          }
          const ids = found.received.map(({ headers }) => headers["webhook-id"]);
          assert.lengthOf(ids, 60);
          assert.strictEqual(new Set(ids).size, 60);
          assert.isAtMost(most, 4);
          assert.strictEqual(of(yield* deliveries(id), "delivered"), 60);
        }).pipe(Callers.as(admin), Effect.provide(first));
      }).pipe(Effect.scoped),
  );

  it.effect("[webhooks.claim] an attempt whose node stopped is repeated after 60 seconds", () =>
    Effect.gen(function* () {
      const [first, second] = yield* nodes(2);
      if (first === undefined || second === undefined) return;
      yield* Effect.gen(function* () {
        const found = yield* script;
        const sent = yield* Deferred.make<void>();
        found.respond = () => Effect.andThen(Deferred.succeed(sent, undefined), Effect.never);
        const { id } = yield* hook();
        yield* issue();
        const stopped = yield* Effect.forkScoped(deliver);
        yield* Deferred.await(sent);
        const other = Deliverer.Deliverer.use(({ once }) => once).pipe(Effect.provide(second));
        yield* other;
        assert.lengthOf(found.received, 1);
        const [row] = yield* deliveries(id);
        const retry = hooks((service) => service.retry(id, row?.id ?? ""));
        assert.strictEqual((yield* Effect.flip(retry))._tag, "DeliveryPending");
        found.respond = () => Effect.succeed({ status: 200 });
        yield* TestClock.adjust("60 seconds");
        yield* other;
        const [attempt, again] = found.received.map(({ headers }) => headers["webhook-id"]);
        assert.strictEqual(attempt, again);
        assert.strictEqual(of(yield* deliveries(id), "delivered"), 1);
        assert.isUndefined(stopped.pollUnsafe());
      }).pipe(Callers.as(admin), Effect.provide(first));
    }).pipe(Effect.scoped),
  );

  check(
    "[webhooks.load] 4 first attempts and 4 retries are in flight, and a slow receiver holds no other back",
    Effect.gen(function* () {
      const found = yield* script;
      const slow = yield* hook({ url: "https://slow.example.com/" });
      yield* responding({ status: 500 });
      yield* Effect.repeat(issue("Earlier"), { times: 5 });
      yield* deliver;
      yield* received;
      yield* hook({ url: "https://fast.example.com/" });
      yield* TestClock.adjust("10 seconds");
      yield* Effect.repeat(issue("Later"), { times: 9 });
      const fast = yield* Deferred.make<void>();
      const counts = { fast: 0, first: 0, retry: 0 };
      found.respond = ({ body, url }) => {
        if (url.startsWith("https://slow")) {
          counts[body.includes("Earlier") ? "retry" : "first"] += 1;
          return Effect.never;
        }
        counts.fast += 1;
        return Effect.as(counts.fast === 10 ? Deferred.succeed(fast, undefined) : Effect.void, {
          status: 200,
        });
      };
      const { run } = yield* Deliverer.Deliverer;
      const running = yield* Effect.forkChild(
        Effect.provideService(run, Clock.Clock, Clock.Clock.defaultValue()),
      );
      yield* Deferred.await(fast);
      assert.deepStrictEqual(counts, { fast: 10, first: 4, retry: 4 });
      assert.strictEqual(of(yield* deliveries(slow.id), "pending"), 16);
      running.interruptUnsafe();
    }),
  );

  check(
    "[webhooks.probe] after 5 timeouts in a row a receiver gets one attempt a minute",
    Effect.gen(function* () {
      const { id } = yield* hook();
      yield* responding({ error: "no response within 15 s", timedOut: true });
      yield* Effect.repeat(issue(), { times: 7 });
      yield* deliver;
      assert.lengthOf(yield* received, 8);
      yield* TestClock.adjust("10 seconds");
      yield* deliver;
      assert.lengthOf(yield* received, 0);
      for (let minute = 0; minute < 3; minute += 1) {
        yield* TestClock.adjust("60 seconds");
        yield* deliver;
        assert.lengthOf(yield* received, 1);
      }
      yield* responding({ status: 200 });
      yield* TestClock.adjust("60 seconds");
      yield* deliver;
      assert.isAtLeast(of(yield* deliveries(id), "delivered"), 5);
    }),
  );

  // A change that runs again writes more than what is counted here.
  it.effect.skipIf(process.env["QM_STORAGE"] !== undefined)(
    "[webhooks.bounded] 1,000 events are queued together, and a look reads 8 deliveries",
    () => {
      const counts = { looks: 0, queues: 0, read: 0, waiting: 0 };
      const counted = <A, E, R>(rows: Effect.Effect<ReadonlyArray<A>, E, R>) =>
        Effect.tap(rows, ({ length }) => Effect.sync(() => (counts.read += length)));
      const storage = TestStorage.altered(WebhookStore.WebhookStore, (store) => ({
        queue: (rows) => Effect.suspend(() => ((counts.queues += 1), store.queue(rows))),
        withDue: (now) => Effect.suspend(() => ((counts.looks += 1), store.withDue(now))),
        claimed: (webhookId) => counted(store.claimed(webhookId)),
        due: (webhookId, kind, now, limit) => counted(store.due(webhookId, kind, now, limit)),
        waiting: (webhookId, most) =>
          Effect.tap(store.waiting(webhookId, most), (count) =>
            Effect.sync(() => (counts.waiting += count)),
          ),
      }));
      return Effect.gen(function* () {
        const found = yield* script;
        const { append } = yield* EventStore.EventStore;
        const { transact } = yield* Transactor.Transactor;
        yield* hook({ kinds: ["mcp.*"] });
        // Passes the events before: a transaction reads 1,000 events.
        yield* deliver;
        const events = Array.from({ length: 2_000 }, () =>
          Fixtures.eventRow({ kind: "mcp.failed", subjectId: "mcp_1", projectId: null }),
        );
        yield* transact(append(yield* Effect.all(events)));
        yield* deliver;
        assert.lengthOf(found.received, 2_000);
        assert.strictEqual(counts.queues, 2);
        assert.isAtMost(counts.waiting, 1_000);
        assert.isAtMost(counts.looks, 2_000 / 4 + 2);
        assert.isAtMost(counts.read, 8 * counts.looks);
      }).pipe(Callers.as(admin), Effect.provide(layerOn(storage)));
    },
  );

  it.effect("[webhooks.waiting] a webhook for which too many deliveries wait is failing", () =>
    Effect.gen(function* () {
      const { id } = yield* hook();
      yield* issue();
      yield* deliver;
      const webhook = yield* hooks((service) => service.get(id));
      assert.deepInclude(webhook, { status: "failing", statusReason: "tooManyWaiting" });
      assert.strictEqual(of(yield* deliveries(id), "skipped"), 1);
      assert.deepStrictEqual(yield* received, []);
    }).pipe(
      Callers.as(admin),
      Effect.provide(
        layerOn(
          TestStorage.altered(WebhookStore.WebhookStore, ({ waiting }) => ({
            waiting: (webhookId, most) =>
              most > 100_000
                ? Effect.map(waiting(webhookId, 1), (count) => count * most)
                : waiting(webhookId, most),
          })),
        ),
      ),
    ),
  );
});
