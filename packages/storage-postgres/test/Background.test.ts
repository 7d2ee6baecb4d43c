import { assert, it } from "@effect/vitest";
import {
  AttachmentContent,
  AttachmentStore,
  CallBodyStore,
  EventStore,
  IdempotencyStore,
  Usage,
  UsageStore,
} from "@quartermaster/core";
import { Fixtures, SeededRandom, Storage as Testing } from "@quartermaster/testing";
import { Context, Deferred, Effect, Fiber, Layer, Queue, Stream } from "effect";
import { SqlClient } from "effect/sql";
import { PostgresClient, Storage } from "../src/index.ts";
import * as Tidying from "../src/Tidying.ts";
import { emptySchema, options, withServer } from "./support/TestStorage.ts";

/** Work that every node repeats in the background, while others write. */

const storage = Layer.unwrap(
  Effect.map(emptySchema, (schema) =>
    Layer.provideMerge(Storage.layer(options(schema)), PostgresClient.layer(options(schema))),
  ),
).pipe(Layer.provideMerge(SeededRandom.layer));

const { transact } = Testing;

const count = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ readonly n: number }>`SELECT count(*) AS n FROM ${sql(table)}`,
      ([row]) => row?.n,
    ),
  );

const groups = UsageStore.UsageStore.use((store) =>
  store.groups({ groupBy: "agent", projects: null }, { after: null, limit: 9, order: "asc" }),
);

withServer(() => {
  it.effect("turns of an agent that report at the same time run once, and their sums stay", () =>
    Effect.gen(function* () {
      const store = yield* UsageStore.UsageStore;
      const issue = yield* Fixtures.issue();
      let started = 0;
      const report = (n: number, requests: number) =>
        Effect.gen(function* () {
          started++;
          const row = { source: "agent", at: Fixtures.at(0), model: "m", agentId: "a" } as const;
          const of = { runId: `run_${n}`, projectId: issue.projectId, issueId: issue.id };
          const rows = [{ ...Usage.none, ...row, ...of, requests }];
          yield* store.add({ reports: [], sessions: [], rows });
        });
      const all = [1, 2, 3, 4, 5, 6, 7, 8];
      const reports = Effect.forEach(all, (n) => transact(report(n, n)), {
        concurrency: "unbounded",
      });
      yield* reports;
      yield* reports;
      assert.strictEqual(started, 16);
      const expected = [
        { key: "a", runs: 8, runsWithoutUsage: 0, ...Usage.none, requests: 72 },
      ] as const;
      assert.deepStrictEqual(yield* groups, expected);
      yield* Effect.all([Tidying.once, Tidying.once], { concurrency: 2 });
      assert.strictEqual(yield* count("usage_differences"), 0);
      assert.strictEqual(yield* count("usage_sums"), 4);
      assert.deepStrictEqual(yield* groups, expected);
      while ((yield* transact(store.prune(Fixtures.at(90_000_000), 3))) > 0);
      assert.deepStrictEqual(yield* groups, []);
      yield* Tidying.once;
      assert.deepStrictEqual(yield* groups, []);
      yield* transact(store.prune(Fixtures.at(90_000_000), 9));
      assert.strictEqual(yield* count("usage_sums"), 0);
    }).pipe(Effect.provide(storage)),
  );

  it.live("a node notifies the others of its events, although none of its callers reads them", () =>
    Effect.gen(function* () {
      const schema = yield* emptySchema;
      const node = Effect.map(Layer.build(Storage.layer(options(schema))), (context) => ({
        context,
        events: Context.get(context, EventStore.EventStore),
      }));
      const [writer, reader] = [yield* node, yield* node];
      // The first one is there from the start.
      const notices = yield* Stream.toQueue(reader.events.bell, { capacity: 9 });
      yield* Queue.take(notices);
      yield* Effect.gen(function* () {
        yield* transact(writer.events.append([yield* Fixtures.eventRow()]));
      }).pipe(Effect.provideContext(writer.context), Effect.provide(SeededRandom.layer));
      yield* Queue.take(notices);
      const placed = reader.events.list(
        { projects: null, kinds: null },
        { after: 0, until: 1, limit: 1 },
      );
      assert.lengthOf(yield* placed, 1);
    }).pipe(Effect.scoped),
  );

  it.effect("a node removes the rows that no other node is removing", () =>
    Effect.gen(function* () {
      const store = yield* IdempotencyStore.IdempotencyStore;
      for (const n of [1, 2, 3]) {
        const row = { keyId: "key", fingerprint: "f", status: 201, resourceId: "r" };
        yield* transact(store.put({ ...row, idempotencyKey: `${n}`, createdAt: Fixtures.at(n) }));
      }
      const removed = yield* Deferred.make<void>();
      const end = yield* Deferred.make<void>();
      const prune = store.prune(Fixtures.at(100), 2);
      const first = yield* Effect.forkChild(
        transact(
          Effect.tap(prune, () =>
            Effect.andThen(Deferred.succeed(removed, undefined), Deferred.await(end)),
          ),
        ),
      );
      yield* Deferred.await(removed);
      assert.strictEqual(yield* transact(prune), 1);
      assert.strictEqual(yield* transact(prune), 0);
      yield* Deferred.succeed(end, undefined);
      assert.strictEqual(yield* Fiber.join(first), 2);
    }).pipe(Effect.provide(storage)),
  );

  it.effect("the oldest bodies of calls are removed, at most the given number", () =>
    Effect.gen(function* () {
      const store = yield* CallBodyStore.CallBodyStore;
      const server = yield* Fixtures.server();
      const bodies = Array.from({ length: 20 }, (_, n) => ({
        callId: `call_${n}`,
        serverId: server.id,
        issueId: null,
        endedAt: Fixtures.at(n),
        bytes: 10,
        keyId: "k",
        nonce: "n",
        sealed: "s",
      }));
      yield* transact(store.put(bodies));
      assert.strictEqual(yield* transact(store.removeOldest(1_000, 3)), 30);
      assert.strictEqual(yield* count("call_bodies"), 17);
      assert.strictEqual(yield* transact(store.removeOfServer(server.id, 5)), 5);
    }).pipe(Effect.provide(storage)),
  );

  it.effect("an upload in flight is not discarded before its hour is over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient;
      const store = yield* AttachmentStore.AttachmentStore;
      const content = yield* AttachmentContent.AttachmentContent;
      const bytes = Stream.make(new Uint8Array(10));
      const late = yield* Effect.scoped(
        Effect.gen(function* () {
          const received = yield* content.receive("att_1", bytes, 10);
          assert.deepStrictEqual(yield* store.discarded(9), []);
          yield* transact(store.forget(["att_1"]));
          assert.strictEqual(yield* count("discarded_attachments"), 1);
          // The process of a second upload dies: nothing closes its scope.
          yield* sql`INSERT INTO discarded_attachments (id) VALUES ('att_2')`;
          yield* sql`INSERT INTO attachment_bytes VALUES ('att_2', 0, '')`;
          yield* sql`UPDATE discarded_attachments SET not_before = now()`;
          const due = yield* store.discarded(9);
          assert.sameMembers([...due], ["att_1", "att_2"]);
          yield* Effect.forEach(due, (id) => content.remove(id));
          yield* transact(store.forget(due));
          return yield* Effect.flip(transact(received.keep));
        }),
      );
      assert.match(late.reason, /took longer than an hour/);
      assert.strictEqual(yield* count("attachment_bytes"), 0);
      assert.strictEqual(yield* count("discarded_attachments"), 0);
    }).pipe(Effect.provide(storage)),
  );

  it.effect("bytes stay if their scope closes before the outcome of the commit is known", () =>
    Effect.gen(function* () {
      const content = yield* AttachmentContent.AttachmentContent;
      const left = yield* Deferred.make<void>();
      const end = yield* Deferred.make<void>();
      const received = yield* Deferred.make<AttachmentContent.ReceivedContent>();
      const scope = yield* Effect.forkChild(
        Effect.scoped(
          Effect.gen(function* () {
            const upload = content.receive("att_1", Stream.make(new Uint8Array(10)), 10);
            yield* Deferred.succeed(received, yield* upload);
            yield* Deferred.await(left);
          }),
        ),
      );
      const { keep } = yield* Deferred.await(received);
      const change = yield* Effect.forkChild(
        transact(
          Effect.andThen(
            keep,
            Effect.andThen(Deferred.succeed(left, undefined), Deferred.await(end)),
          ),
        ),
      );
      yield* Deferred.await(left);
      yield* Deferred.succeed(end, undefined);
      yield* Effect.all([Fiber.join(scope), Fiber.join(change)]);
      assert.lengthOf(yield* Stream.mkUint8Array(content.read("att_1", 0, 10)), 10);
    }).pipe(Effect.provide(storage)),
  );
});
