import { assert, describe } from "@effect/vitest";
import { CallBodyStore, IssueStore } from "@quartermaster/core";
import { Effect, type Layer, Option } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, type It } from "../Suite.ts";

const { CallBodyStore: Bodies } = CallBodyStore;

const stored = Effect.fnUntraced(function* (overrides: Partial<CallBodyStore.CallBody> = {}) {
  const serverId = overrides.serverId ?? (yield* Fixtures.server()).id;
  const body = yield* Fixtures.callBody({ ...overrides, serverId });
  yield* Bodies.use((bodies) => transact(bodies.put([body])));
  return body;
});

const get = (callId: string) =>
  Effect.map(
    Bodies.use((bodies) => bodies.get(callId)),
    Option.getOrNull,
  );

const rows = (it: It<Storage>): void => {
  it.effect("put stores bodies and replaces them", () =>
    Effect.gen(function* () {
      const { id: issueId } = yield* Fixtures.issue();
      const body = yield* stored({ issueId });
      const other = yield* stored();
      assert.deepStrictEqual(yield* get(body.callId), body);
      assert.deepStrictEqual(yield* get(other.callId), other);
      const again = { ...body, keyId: "other", nonce: "n", sealed: "sealed", bytes: 6 };
      yield* Bodies.use((bodies) => transact(bodies.put([again])));
      assert.deepStrictEqual(yield* get(body.callId), again);
      assert.isNull(yield* get("call_unknown"));
    }),
  );

  it.effect("put stores no body of an uninstalled server or of a deleted issue", () =>
    Effect.gen(function* () {
      const ofServer = yield* stored({ serverId: "mcp_gone" });
      const ofIssue = yield* stored({ issueId: "iss_gone" });
      assert.deepStrictEqual(
        [yield* get(ofServer.callId), yield* get(ofIssue.callId)],
        [null, null],
      );
    }),
  );

  it.effect("the removal of an issue removes the bodies of its calls, and no others", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const { id: issueId } = yield* Fixtures.issue();
      const body = yield* stored({ issueId });
      const other = yield* stored({ issueId: (yield* Fixtures.issue()).id });
      const without = yield* stored();
      yield* transact(issues.remove(issueId));
      assert.isNull(yield* get(body.callId));
      assert.deepStrictEqual(yield* get(other.callId), other);
      assert.deepStrictEqual(yield* get(without.callId), without);
    }),
  );

  it.effect("removeOfServer removes at most the given number of a server's bodies", () =>
    Effect.gen(function* () {
      const bodies = yield* Bodies;
      const { id: serverId } = yield* Fixtures.server();
      for (let n = 0; n < 3; n++) yield* stored({ serverId });
      const other = yield* stored();
      assert.strictEqual(yield* transact(bodies.removeOfServer(serverId, 2)), 2);
      assert.strictEqual(yield* transact(bodies.removeOfServer(serverId, 2)), 1);
      assert.strictEqual(yield* transact(bodies.removeOfServer(serverId, 2)), 0);
      assert.deepStrictEqual(yield* get(other.callId), other);
    }),
  );
};

const bounds = (it: It<Storage>): void => {
  it.effect("prune and removeOldest remove the oldest bodies, within their limits", () =>
    Effect.gen(function* () {
      const bodies = yield* Bodies;
      const { id: serverId } = yield* Fixtures.server();
      assert.strictEqual(yield* bodies.totalBytes, 0);
      const [c, a, b, e, d] = yield* Effect.forEach([3, 1, 2, 5, 4], (seconds) =>
        stored({ serverId, endedAt: Fixtures.at(seconds), bytes: 10 }),
      );
      const left = Effect.map(
        Effect.forEach([a, b, c, d, e], (body) => get(body?.callId ?? "")),
        (found) => found.map((body) => body !== null),
      );
      assert.strictEqual(yield* bodies.totalBytes, 50);
      assert.strictEqual(yield* transact(bodies.prune(Fixtures.at(3), 1)), 1);
      assert.deepStrictEqual(yield* left, [false, true, true, true, true]);
      assert.strictEqual(yield* transact(bodies.prune(Fixtures.at(3), 9)), 1);
      assert.strictEqual(yield* transact(bodies.prune(Fixtures.at(3), 9)), 0);
      assert.deepStrictEqual(yield* left, [false, false, true, true, true]);
      assert.strictEqual(yield* transact(bodies.removeOldest(11, 1)), 10);
      assert.deepStrictEqual(yield* left, [false, false, false, true, true]);
      assert.strictEqual(yield* transact(bodies.removeOldest(10, 9)), 10);
      assert.deepStrictEqual(yield* left, [false, false, false, false, true]);
      assert.strictEqual(yield* transact(bodies.removeOldest(0, 9)), 0);
      assert.strictEqual(yield* transact(bodies.removeOldest(99, 9)), 10);
      assert.strictEqual(yield* bodies.totalBytes, 0);
    }),
  );
};

const keys = (it: It<Storage>): void => {
  it.effect("notUnder returns the bodies under other keys, page by page", () =>
    Effect.gen(function* () {
      const bodies = yield* Bodies;
      const { id: serverId } = yield* Fixtures.server();
      const a = yield* stored({ serverId, keyId: "b" });
      yield* stored({ serverId, keyId: "c" });
      const b = yield* stored({ serverId, keyId: "a" });
      const d = yield* stored({ serverId, keyId: "d" });
      assert.deepStrictEqual(yield* bodies.notUnder("c", null, 2), [b, a]);
      assert.deepStrictEqual(yield* bodies.notUnder("c", a, 2), [d]);
      assert.deepStrictEqual(yield* bodies.notUnder("c", d, 2), []);
    }),
  );
};

/** The requirements of every `CallBodyStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`CallBodyStore: ${name}`, () => {
    block("rows", storage, rows);
    block("bounds", storage, bounds);
    block("keys", storage, keys);
  });
};
