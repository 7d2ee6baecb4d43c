import { assert, describe } from "@effect/vitest";
import { type ToolCall, ToolCallStore } from "@quartermaster/core";
import { Effect, type Layer } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, checkPaging, everything, ids, type It, texts } from "../Suite.ts";

const { ToolCallStore: Calls } = ToolCallStore;

const record = (overrides?: Partial<ToolCall.ToolCall>) =>
  Effect.tap(Fixtures.toolCallRow(overrides), (call) =>
    Calls.use((calls) => transact(calls.append([call]))),
  );

const rows = (it: It<Storage>): void => {
  it.effect("append stores every field, in order", () =>
    Effect.gen(function* () {
      const calls = yield* Calls;
      const agentId = yield* Fixtures.id("agent");
      const made = yield* Effect.all([
        Fixtures.toolCallRow({ agentId, startedAt: Fixtures.at(9) }),
        Fixtures.toolCallRow({
          agentId,
          serverId: null,
          tool: "gone",
          startedAt: Fixtures.at(1.5),
          durationMs: 0,
          outcome: "unknownTool",
          requestBytes: 0,
          responseBytes: 5_000_000_000,
        }),
        Fixtures.toolCallRow({ agentId, outcome: "cancelled", startedAt: Fixtures.at(5) }),
      ]);
      yield* transact(calls.append(made));
      yield* transact(calls.append([]));
      const kept = yield* calls.list({ agentId }, everything);
      assert.deepStrictEqual(
        kept.map(({ seq: _, ...call }) => call),
        made,
      );
      assert.isTrue(kept.every(({ seq }, n) => seq > (kept[n - 1]?.seq ?? 0)));
    }),
  );

  it.effect("append stores many calls together", () =>
    Effect.gen(function* () {
      const calls = yield* Calls;
      const agentId = yield* Fixtures.id("agent");
      const made = yield* Effect.forEach(Array.from({ length: 250 }), () =>
        Fixtures.toolCallRow({ agentId }),
      );
      yield* transact(calls.append(made));
      assert.deepStrictEqual(ids(yield* calls.list({ agentId }, everything)), ids(made));
    }),
  );

  it.effect.each(texts)("keeps the tool's name %j", (tool) =>
    Effect.gen(function* () {
      const calls = yield* Calls;
      const agentId = yield* Fixtures.id("agent");
      yield* record({ agentId, tool });
      const [kept] = yield* calls.list({ agentId }, everything);
      assert.strictEqual(kept?.tool, tool);
    }),
  );
};

const queries: ReadonlyArray<readonly [string, Parameters<typeof list>[0]]> = [
  ["all calls", {}],
  ["the calls by an agent", { agentId: "a" }],
  ["the calls of a server", { serverId: "s" }],
  ["the calls by an agent of a server", { agentId: "a", serverId: "s" }],
];

const list = (query: { readonly agentId?: string; readonly serverId?: string }) => {
  const others = [
    { agentId: "b", serverId: "s" },
    { agentId: "a", serverId: "t" },
    { agentId: "a", serverId: null },
  ].filter(
    (call) =>
      (query.agentId !== undefined && call.agentId !== query.agentId) ||
      (query.serverId !== undefined && call.serverId !== query.serverId),
  );
  return Effect.gen(function* () {
    const calls = yield* Calls;
    yield* checkPaging(
      (slice) => calls.list(query, slice),
      Effect.gen(function* () {
        yield* Effect.forEach(others, record);
        const { id } = yield* record({ agentId: "a", serverId: "s" });
        return id;
      }),
    );
  });
};

const prune = (it: It<Storage>): void => {
  it.effect(
    "prune removes at most the given number of calls that started before the timestamp",
    () =>
      Effect.gen(function* () {
        const calls = yield* Calls;
        const now = Fixtures.at(100);
        yield* Effect.forEach([1, 99, 99.999], (seconds) =>
          record({ startedAt: Fixtures.at(seconds) }),
        );
        const exact = yield* record({ startedAt: now });
        const later = yield* record({ startedAt: Fixtures.at(101) });
        assert.strictEqual(yield* transact(calls.prune(now, 2)), 2);
        assert.lengthOf(yield* calls.list({}, everything), 3);
        assert.strictEqual(yield* transact(calls.prune(now, 2)), 1);
        assert.strictEqual(yield* transact(calls.prune(now, 2)), 0);
        assert.deepStrictEqual(ids(yield* calls.list({}, everything)), ids([exact, later]));
      }),
  );
};

/** The requirements of every `ToolCallStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`ToolCallStore: ${name}`, () => {
    block("rows", storage, rows);
    for (const [what, query] of queries) {
      block(what, storage, (it) =>
        it.effect("list shows them, page by page, in both orders", () => list(query)),
      );
    }
    block("prune", storage, prune);
  });
};
