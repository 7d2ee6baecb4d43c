import { assert, describe } from "@effect/vitest";
import { ProcessLeaseStore } from "@quartermaster/core";
import { Effect, type Layer, Option } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, type It } from "../Suite.ts";

const lease = (
  overrides: Partial<ProcessLeaseStore.ProcessLease> = {},
): ProcessLeaseStore.ProcessLease => ({
  serverId: "mcp_a",
  nodeId: "one",
  url: null,
  expiresAt: Fixtures.at(30),
  ...overrides,
});

export const tests = (it: It<Storage>): void => {
  it.effect("a server has one lease, which put replaces and only its node removes", () =>
    Effect.gen(function* () {
      const store = yield* ProcessLeaseStore.ProcessLeaseStore;
      const other = lease({ serverId: "mcp_b", url: "http://10.0.0.2:7420" });
      assert.isTrue(Option.isNone(yield* store.get("mcp_a")));
      yield* transact(Effect.andThen(store.put(lease()), store.put(other)));
      assert.deepStrictEqual(yield* store.get("mcp_a"), Option.some(lease()));
      assert.deepStrictEqual(yield* store.get("mcp_b"), Option.some(other));
      const taken = lease({
        nodeId: "two",
        url: "https://two.example",
        expiresAt: Fixtures.at(60),
      });
      yield* transact(store.put(taken));
      yield* transact(store.remove("mcp_a", "one"));
      assert.deepStrictEqual(yield* store.get("mcp_a"), Option.some(taken));
      yield* transact(store.remove("mcp_a", "two"));
      assert.isTrue(Option.isNone(yield* store.get("mcp_a")));
      assert.deepStrictEqual(yield* store.get("mcp_b"), Option.some(other));
    }),
  );

  it.effect("one of several nodes takes a free lease, and one an expired lease", () =>
    Effect.gen(function* () {
      const store = yield* ProcessLeaseStore.ProcessLeaseStore;
      const serverId = "mcp_raced";
      const take = (nodeId: string, seconds: number) =>
        transact(
          Effect.gen(function* () {
            const found = Option.getOrNull(yield* store.get(serverId));
            if (found !== null && found.expiresAt > Fixtures.at(seconds)) return found.nodeId;
            const expiresAt = Fixtures.at(seconds + 30);
            yield* store.put(lease({ serverId, nodeId, expiresAt }));
            return nodeId;
          }),
        );
      for (const seconds of [0, 30]) {
        const nodes = Array.from({ length: 8 }, (_, n) => `${seconds}-${n}`);
        const holders = yield* Effect.forEach(nodes, (node) => take(node, seconds), {
          concurrency: "unbounded",
        });
        assert.strictEqual(new Set(holders).size, 1);
        assert.include(nodes, holders[0]);
      }
    }),
  );
};

/** The requirements of every `ProcessLeaseStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`ProcessLeaseStore: ${name}`, () => {
    block("leases", storage, tests);
  });
};
