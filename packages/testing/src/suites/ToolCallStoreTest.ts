import { assert, describe } from "@effect/vitest";
import { type ToolCall, ToolCallStore } from "@quartermaster/core";
import { Effect, type Layer, Option } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, checkPaging, everything, ids, type It, texts } from "../Suite.ts";

const { ToolCallStore: Calls } = ToolCallStore;

const record = (overrides?: Partial<ToolCall.EndedCall>) =>
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
          runId: "run_1",
          issueId: "iss_1",
          projectId: "project",
          keyId: "key_1",
          worker: "worker-0123456789",
          serverId: null,
          server: null,
          toolDigest: "9f86d081",
          error: "There is no tool gone.",
          recorded: "all",
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

const admitted = (it: It<Storage>): void => {
  it.effect("an admitted call is listed and found until it ends", () =>
    Effect.gen(function* () {
      const calls = yield* Calls;
      const agentId = yield* Fixtures.id("agent");
      const first = yield* Fixtures.admittedCall({ agentId, runId: "run_1", keyId: "key_1" });
      const second = yield* Fixtures.admittedCall({ agentId, tool: "other" });
      yield* transact(Effect.andThen(calls.admit(first), calls.admit(second)));
      const later = { ...first, until: Fixtures.at(60), worker: "again" };
      yield* transact(calls.admit(later));
      const withoutSeq = ({ seq: _, ...call }: ToolCall.AdmittedCallRow) => call;
      const listed = yield* calls.admitted({ agentId }, 10);
      assert.deepStrictEqual(listed.map(withoutSeq), [second, later]);
      assert.deepStrictEqual(ids(yield* calls.admitted({ agentId }, 1)), ids([second]));
      assert.deepStrictEqual(ids(yield* calls.admitted({ runId: "run_1" }, 1)), ids([first]));
      assert.deepStrictEqual(yield* calls.list({ agentId }, everything), []);
      assert.deepStrictEqual(Option.getOrNull(yield* calls.get(second.id)), listed[0]);
      const end = yield* Fixtures.toolCallRow({ agentId, id: first.id });
      yield* transact(calls.append([end]));
      assert.deepStrictEqual(ids(yield* calls.admitted({ agentId }, 10)), ids([second]));
      assert.deepStrictEqual(ids(yield* calls.list({ agentId }, everything)), ids([first]));
      const stored = Option.getOrThrow(yield* calls.get(first.id));
      assert.deepStrictEqual({ ...end, seq: stored.seq }, stored);
      assert.isTrue(Option.isNone(yield* calls.get("call_unknown")));
    }),
  );

  it.effect("extend moves until of calls that are still admitted, and returns their ids", () =>
    Effect.gen(function* () {
      const calls = yield* Calls;
      const kept = yield* Fixtures.admittedCall();
      const gone = yield* Fixtures.admittedCall();
      const other = yield* Fixtures.admittedCall({ until: Fixtures.at(31) });
      yield* transact(Effect.forEach([kept, gone, other], calls.admit));
      yield* transact(calls.append([yield* Fixtures.toolCallRow({ id: gone.id })]));
      const extended = yield* transact(calls.extend([kept.id, gone.id], Fixtures.at(-1)));
      assert.deepStrictEqual(extended, [kept.id]);
      // Earlier than the calls of other tests.
      yield* transact(calls.extend([other.id], Fixtures.at(-2)));
      const overdue = (seconds: number, limit = 9) =>
        Effect.map(calls.overdue(Fixtures.at(seconds), limit), ids);
      assert.deepStrictEqual(yield* overdue(-2.001), []);
      assert.deepStrictEqual(yield* overdue(-2), [other.id]);
      assert.deepStrictEqual(yield* overdue(-1), [other.id, kept.id]);
      assert.deepStrictEqual(yield* overdue(-1, 1), [other.id]);
    }),
  );

  it.effect("the end of a call that was lost replaces the record", () =>
    Effect.gen(function* () {
      const calls = yield* Calls;
      const agentId = yield* Fixtures.id("agent");
      const { id } = yield* record({ agentId, outcome: "lost", error: "stopped" });
      yield* record({ agentId, id, outcome: "ok", error: null });
      const [stored, ...rest] = yield* calls.list({ agentId }, everything);
      assert.deepStrictEqual([stored?.id, stored?.outcome, stored?.error], [id, "ok", null]);
      assert.deepStrictEqual(rest, []);
    }),
  );

  it.effect("list filters by run, issue, tool, start and outcome", () =>
    Effect.gen(function* () {
      const calls = yield* Calls;
      const agentId = yield* Fixtures.id("agent");
      const a = yield* record({ agentId, runId: "run_1", issueId: "iss_1", tool: "a" });
      const b = yield* record({ agentId, runId: "run_2", issueId: "iss_1", outcome: "timeout" });
      const c = yield* record({ agentId, startedAt: Fixtures.at(9), outcome: "cancelled" });
      const expect = (
        query: Parameters<typeof calls.list>[0],
        rows: ReadonlyArray<{ id: string }>,
      ) =>
        Effect.map(calls.list({ agentId, ...query }, everything), (found) =>
          assert.deepStrictEqual(ids(found), ids(rows)),
        );
      yield* expect({ runId: "run_1" }, [a]);
      yield* expect({ issueId: "iss_1" }, [a, b]);
      yield* expect({ tool: "a" }, [a]);
      yield* expect({ from: Fixtures.at(9) }, [c]);
      yield* expect({ to: Fixtures.at(9) }, [a, b]);
      yield* expect({ outcomes: ["timeout", "cancelled"] }, [b, c]);
      yield* expect({ outcomes: [] }, []);
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

const counts = (it: It<Storage>): void => {
  it.effect("countByRun counts the calls of runs, and those with an outcome", () =>
    Effect.gen(function* () {
      const calls = yield* Calls;
      const [a, b] = [yield* Fixtures.id("run"), yield* Fixtures.id("run")];
      yield* record({ runId: a });
      yield* record({ runId: a, outcome: "error" });
      yield* record({ runId: b });
      yield* record();
      const counted = yield* calls.countByRun([a, b, "run_none"], ["error", "timeout"]);
      assert.deepStrictEqual(
        [...counted].toSorted(([one], [other]) => (one < other ? -1 : 1)),
        [
          [a, { total: 2, failed: 1 }],
          [b, { total: 1, failed: 0 }],
        ] as const,
      );
    }),
  );
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
    block("admitted", storage, admitted);
    block("counts", storage, counts);
    block("prune", storage, prune);
  });
};
