import { assert, describe, it } from "@effect/vitest";
import {
  Comments,
  Core,
  Idempotency,
  IdempotencyStore,
  Issues,
  Links,
  MasterKeys,
  Transactor,
} from "@quartermaster/core";
import { Callers, SeededRandom } from "@quartermaster/testing";
import { Effect, Layer, Option, Redacted } from "effect";
import { Digest, Mac } from "effect/crypto";
import { TestClock } from "effect/testing";
import * as TestStorage from "../support/Storage.ts";
import { alice, check, create, link, plain, project } from "../support/World.ts";

const request = (content: string, idempotencyKey = "1", keyId = "key") =>
  Effect.provideService(Idempotency.CurrentRequest, { keyId, idempotencyKey, content });

const count = Issues.Issues.use((issues) =>
  Effect.map(issues.list(project), ({ items }) => items.length),
);

describe("Idempotency", () => {
  check(
    "[idempotency.once] the same request returns what the first one created, in its current state",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const first = yield* request("a")(create());
      assert.deepStrictEqual(yield* request("a")(create()), first);
      const renamed = yield* issues.update(first.id, { title: "Renamed" });
      assert.deepStrictEqual(yield* request("a")(create()), plain(renamed));
      assert.strictEqual(yield* count, 1);
      assert.notStrictEqual((yield* request("a", "2")(create())).id, first.id);
      assert.notStrictEqual((yield* request("a", "1", "other")(create())).id, first.id);
      assert.notStrictEqual((yield* create()).id, first.id);
    }),
  );

  check(
    "[idempotency.others] links and comments are also created once",
    Effect.gen(function* () {
      const comments = yield* Comments.Comments;
      const links = yield* Links.Links;
      const [one, other] = [yield* create(), yield* create()];
      const linked = yield* request("l", "l")(link(one.id, "BlockedBy", other.id));
      const again = yield* request("l", "l")(link(one.id, "BlockedBy", other.id));
      assert.deepStrictEqual(again, linked);
      assert.lengthOf((yield* links.list(one.id)).items, 1);
      const comment = comments.create(one.id, { content: "x", authorType: "User" });
      assert.deepStrictEqual(yield* request("c", "c")(comment), yield* request("c", "c")(comment));
      assert.lengthOf((yield* comments.list(one.id)).items, 1);
    }),
  );

  check(
    "[idempotency.mismatch] another request with the same key is refused",
    Effect.gen(function* () {
      yield* request("a")(create());
      const refusal = yield* Effect.flip(request("b")(create()));
      assert.strictEqual(refusal._tag, "IdempotencyMismatch");
      assert.strictEqual(yield* count, 1);
    }),
  );

  check(
    "a request without a fingerprint, of a service with another master key, is recognized by its key",
    Effect.gen(function* () {
      const store = yield* IdempotencyStore.IdempotencyStore;
      const { transact } = yield* Transactor.Transactor;
      const first = yield* request("a")(create());
      const row = Option.getOrThrow(yield* store.get("key", "1"));
      yield* transact(store.put({ ...row, fingerprint: "" }));
      assert.deepStrictEqual(yield* request("a")(create()), first);
    }),
  );

  check(
    "[idempotency.day] a key is forgotten after 24 hours",
    Effect.gen(function* () {
      const first = yield* request("a")(create());
      yield* TestClock.adjust("23 hours");
      assert.strictEqual((yield* request("a")(create())).id, first.id);
      yield* TestClock.adjust("1 hour");
      assert.notStrictEqual((yield* request("b")(create())).id, first.id);
    }),
  );

  check(
    "[idempotency.refusals] only a success is stored; role and body are checked first",
    Effect.gen(function* () {
      const unknown = yield* Effect.flip(request("a")(create({ blockedByIssueId: "iss_none" })));
      assert.strictEqual(unknown._tag, "UnknownReference");
      yield* request("b")(create());
      const viewer = Callers.as(Callers.user("eve", { role: "Viewer" }));
      assert.strictEqual((yield* Effect.flip(viewer(request("b")(create()))))._tag, "Forbidden");
      const invalid = yield* Effect.flip(request("b")(create({ title: "" })));
      assert.strictEqual(invalid._tag, "InvalidRequest");
    }),
  );

  check(
    "[idempotency.concurrent] one of many concurrent requests creates the issue, and all return it",
    Effect.gen(function* () {
      const made = yield* Effect.all(
        Array.from({ length: 50 }, () => request("a")(create())),
        { concurrency: "unbounded" },
      );
      assert.strictEqual(new Set(made.map(({ id }) => id)).size, 1);
      assert.strictEqual(yield* count, 1);
    }),
  );

  it.effect(
    "[idempotency.rotation] a new master key forgets nothing while the old one is known",
    () =>
      Effect.gen(function* () {
        const key = (fill: number) => Redacted.make(new Uint8Array(32).fill(fill));
        const storage = yield* Layer.build(TestStorage.storage);
        const ask = (keys: Parameters<typeof MasterKeys.MasterKeys.layer>[0]) => {
          const core = Core.layer.pipe(
            Layer.provide(Layer.succeedContext(storage)),
            Layer.provide(MasterKeys.MasterKeys.layer(keys)),
            Layer.provide([Mac.layerWebCrypto, Digest.layerWebCrypto]),
            Layer.provide(SeededRandom.layerWith({ seed: keys.length })),
          );
          return request("a")(create()).pipe(Callers.as(alice), Effect.provide(core));
        };
        const first = yield* ask([key(1)]);
        assert.strictEqual((yield* ask([key(2), key(1)])).id, first.id);
        assert.strictEqual((yield* Effect.flip(ask([key(3)])))._tag, "IdempotencyMismatch");
      }),
  );
});
