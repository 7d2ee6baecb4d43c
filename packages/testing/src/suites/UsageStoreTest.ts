import { assert, describe } from "@effect/vitest";
import { RunStore, Usage, UsageStore } from "@quartermaster/core";
import { Effect, type Layer } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, type It } from "../Suite.ts";
import { ranges } from "./UsageRangesTest.ts";

const { UsageStore: Store } = UsageStore;

const hour = (n: number) => Fixtures.at(n * 3_600);

type Row = UsageStore.UsageRow;

const rowOf = (
  run: { readonly id: string; readonly issueId: string },
  overrides: Partial<Row> = {},
): Row => ({
  runId: run.id,
  source: "runner",
  at: hour(0),
  model: "m",
  agentId: "agent",
  projectId: "project",
  issueId: run.issueId,
  ...Usage.none,
  ...overrides,
});

const added = (rows: ReadonlyArray<Row>) =>
  transact(Store.use((store) => store.add({ reports: [], sessions: [], rows })));

const usageOf = (runId: string) =>
  Effect.map(
    Store.use((store) => store.ofRuns([runId, "run_unknown"])),
    (usages) => {
      assert.isAtMost(usages.size, 1);
      return usages.get(runId);
    },
  );

const groupsOf = (
  query: Partial<UsageStore.UsageQuery>,
  slice: { readonly after?: string; readonly limit?: number; readonly order?: "asc" | "desc" } = {},
) =>
  Store.use((store) =>
    store.groups(
      { groupBy: "issue", projects: null, ...query },
      { after: null, limit: 100, order: "asc", ...slice },
    ),
  );

/** A run of an issue of its own, in a project and for an agent of its own. */
const newRun = Effect.gen(function* () {
  const projectId = yield* Fixtures.id("project");
  const agentId = yield* Fixtures.id("agent");
  const issue = yield* Fixtures.issue({ projectId });
  const run = yield* Fixtures.run(issue, { agentId });
  const row = (overrides: Partial<Row> = {}) => rowOf(run, { agentId, projectId, ...overrides });
  return { agentId, issue, projectId, row, run };
});

const reports = (it: It<Storage>): void => {
  it.effect("reports and totals of sessions are stored, replaced and rolled back", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const { agentId, run } = yield* newRun;
      const report = { runId: run.id, key: "a", report: '{"key":"a"}' };
      const session = {
        agentId,
        session: "s",
        source: "host",
        provider: "",
        model: "m",
        totals: { ...Usage.none, inputTokens: 7 },
        updatedAt: hour(1),
      } as const;
      const others = [
        { ...session, source: "runner" },
        { ...session, provider: "p" },
        { ...session, model: "n" },
        { ...session, session: "t" },
        { ...session, agentId: `${agentId}x` },
      ] as const;
      yield* transact(store.add({ reports: [report], sessions: [session, ...others], rows: [] }));
      assert.deepStrictEqual(yield* store.reports(run.id, ["b", "a", "a"]), [report]);
      assert.deepStrictEqual(yield* store.reports("run_unknown", ["a"]), []);
      const changed = { ...session, totals: { ...Usage.none, inputTokens: 9 }, updatedAt: hour(2) };
      const second = { ...report, key: "b" };
      const change = store.add({ reports: [second], sessions: [changed], rows: [] });
      yield* Effect.flip(transact(Effect.andThen(change, Effect.fail("no"))));
      assert.deepStrictEqual(yield* store.reports(run.id, ["b"]), []);
      assert.sameDeepMembers(
        [...(yield* store.sessions(agentId, ["s"]))],
        [session, ...others.slice(0, 3)],
      );
      yield* transact(change);
      assert.deepStrictEqual(yield* store.reports(run.id, ["b"]), [second]);
      assert.sameDeepMembers(
        [...(yield* store.sessions(agentId, ["s", "t", "u"]))],
        [changed, ...others.slice(0, 4)],
      );
    }),
  );

  it.effect("the reports of a run are removed with it, and its sums are not", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const runs = yield* RunStore.RunStore;
      const issue = yield* Fixtures.issue();
      const run = yield* Fixtures.run(issue, Fixtures.ended(hour(-1_000_000)));
      const kept = yield* Fixtures.run(issue, Fixtures.ended(hour(1)));
      const report = { key: "a", report: "{}" };
      yield* transact(
        store.add({
          reports: [
            { ...report, runId: run.id },
            { ...report, runId: kept.id },
          ],
          sessions: [],
          rows: [rowOf(run, { requests: 1 })],
        }),
      );
      yield* transact(runs.prune(hour(-999_999), 10));
      assert.deepStrictEqual(yield* store.reports(run.id, ["a"]), []);
      assert.lengthOf(yield* store.reports(kept.id, ["a"]), 1);
      assert.strictEqual((yield* usageOf(run.id))?.requests, 1);
    }),
  );
};

export const sums = (it: It<Storage>): void => {
  it.effect("rows of one hour, source and model are added, and stop at 2^53 - 1", () =>
    Effect.gen(function* () {
      const { issue, row, run } = yield* newRun;
      assert.isUndefined(yield* usageOf(run.id));
      const one: Usage.Sums = {
        requests: 1,
        inputTokens: 20,
        outputTokens: 3,
        cacheReadTokens: 4,
        cacheWriteTokens: 5,
        reasoningTokens: 2,
        costMicros: 700,
        requestsWithoutCost: 1,
      };
      yield* added([row(one)]);
      yield* added([row(one), row({ ...one, at: hour(1) }), row({ ...one, model: "n" })]);
      const four = Object.fromEntries(Usage.names.map((name) => [name, 4 * one[name]]));
      assert.deepStrictEqual(yield* usageOf(run.id), { ...four, models: ["m", "n"] } as never);
      const [group] = yield* groupsOf({ issueId: issue.id });
      assert.deepStrictEqual(group, {
        key: issue.id,
        runs: 1,
        ...four,
        runsWithoutUsage: 0,
      } as never);
      const huge = row({ costMicros: Number.MAX_SAFE_INTEGER - 1_000 });
      yield* added([huge]);
      yield* added([huge, { ...huge, model: "o" }]);
      assert.strictEqual((yield* usageOf(run.id))?.costMicros, Number.MAX_SAFE_INTEGER);
      const [most] = yield* groupsOf({ issueId: issue.id });
      assert.strictEqual(most?.costMicros, Number.MAX_SAFE_INTEGER);
    }),
  );

  it.effect("a run counts only the rows of its best source", () =>
    Effect.gen(function* () {
      const { issue, row, run } = yield* newRun;
      const counted = Effect.gen(function* () {
        const [group] = yield* groupsOf({ issueId: issue.id });
        const usage = yield* usageOf(run.id);
        assert.strictEqual(group?.inputTokens, usage?.inputTokens);
        assert.strictEqual(group?.runs, 1);
        return [usage?.inputTokens, usage?.models];
      });
      yield* added([row({ source: "otlp", model: "o", inputTokens: 1_000 })]);
      assert.deepStrictEqual(yield* counted, [1_000, ["o"]]);
      yield* added([row({ source: "agent", inputTokens: 1 })]);
      assert.deepStrictEqual(yield* counted, [1, ["m"]]);
      yield* added([row({ source: "runner", inputTokens: 5 })]);
      yield* added([row({ source: "host", at: hour(3), inputTokens: 70 })]);
      assert.deepStrictEqual(yield* counted, [5, ["m"]]);
      yield* added([row({ source: "runner", inputTokens: 5 })]);
      assert.deepStrictEqual(yield* counted, [10, ["m"]]);
    }),
  );

  it.effect("the model with the most tokens comes first, and at most 10 are listed", () =>
    Effect.gen(function* () {
      const { row, run } = yield* newRun;
      yield* added(
        Array.from({ length: 12 }, (_, n) =>
          row({ model: `m${10 + n}`, outputTokens: n === 3 ? 50 : n }),
        ),
      );
      yield* added([row({ model: "m11", at: hour(1), inputTokens: 100 })]);
      const models = (yield* usageOf(run.id))?.models ?? [];
      assert.deepStrictEqual([models.length, ...models.slice(0, 3)], [10, "m11", "m13", "m21"]);
    }),
  );
};

export const groups = (it: It<Storage>): void => {
  it.effect("groups match all filters, and count runs without usage when they started", () =>
    Effect.gen(function* () {
      const a = yield* newRun;
      const b = yield* newRun;
      const silent = yield* Fixtures.run(a.issue, {
        ...Fixtures.ended(hour(9)),
        agentId: a.agentId,
        startedAt: hour(2),
      });
      yield* added([
        a.row({ inputTokens: 1 }),
        a.row({ at: hour(30), inputTokens: 10, model: "n" }),
        b.row({ at: hour(1), inputTokens: 100 }),
      ]);
      const projects = [a.projectId, b.projectId];
      const of = (query: Partial<UsageStore.UsageQuery>) =>
        Effect.map(groupsOf({ projects, ...query }), (found) =>
          found.map((group) => [group.key, group.runs, group.inputTokens, group.runsWithoutUsage]),
        );
      const byKey = (rows: ReadonlyArray<ReadonlyArray<string | number>>) =>
        rows.toSorted((x, y) => (String(x[0]) < String(y[0]) ? -1 : 1));
      for (const [groupBy, keyA, keyB] of [
        ["agent", a.agentId, b.agentId],
        ["project", a.projectId, b.projectId],
        ["issue", a.issue.id, b.issue.id],
      ] as const) {
        assert.deepStrictEqual(
          yield* of({ groupBy }),
          byKey([
            [keyA, 2, 11, 1],
            [keyB, 1, 100, 0],
          ]),
        );
      }
      assert.deepStrictEqual(yield* of({ groupBy: "model" }), [
        ["m", 2, 101, 0],
        ["n", 1, 10, 0],
      ]);
      const days = [hour(0), hour(30)].map((at) => at.slice(0, 10));
      assert.deepStrictEqual(yield* of({ groupBy: "day" }), [
        [days[0], 3, 101, 1],
        [days[1], 1, 10, 0],
      ] as never);
      const only = (query: Partial<UsageStore.UsageQuery>) =>
        Effect.map(of({ groupBy: "project", ...query }), byKey);
      assert.deepStrictEqual(yield* only({ agentId: b.agentId }), [[b.projectId, 1, 100, 0]]);
      assert.deepStrictEqual(yield* only({ projectId: b.projectId }), [[b.projectId, 1, 100, 0]]);
      assert.deepStrictEqual(yield* only({ projects: [a.projectId] }), [[a.projectId, 2, 11, 1]]);
      assert.deepStrictEqual(yield* only({ projects: [] }), []);
      assert.deepStrictEqual(
        yield* only({ issueId: silent.issueId, from: hour(2), to: hour(30) }),
        [[a.projectId, 1, 0, 1]],
      );
      assert.deepStrictEqual(yield* only({ issueId: silent.issueId, from: hour(3) }), [
        [a.projectId, 1, 10, 0],
      ]);
      assert.deepStrictEqual(yield* only({ to: hour(1) }), [[a.projectId, 1, 1, 0]]);
    }),
  );

  it.effect("a slice continues after a key, in both orders", () =>
    Effect.gen(function* () {
      const { projectId, row } = yield* newRun;
      yield* added(["b", "d", "a", "c"].map((model) => row({ model, requests: 1 })));
      const models = (slice: Parameters<typeof groupsOf>[1]) =>
        Effect.map(groupsOf({ groupBy: "model", projectId }, slice), (found) =>
          found.map(({ key }) => key).join(""),
        );
      assert.strictEqual(yield* models({}), "abcd");
      assert.strictEqual(yield* models({ limit: 2 }), "ab");
      assert.strictEqual(yield* models({ after: "b" }), "cd");
      assert.strictEqual(yield* models({ order: "desc", after: "c" }), "ba");
      const days = yield* groupsOf({ groupBy: "day", projectId }, { after: hour(0).slice(0, 10) });
      assert.deepStrictEqual(days, []);
    }),
  );
};

const prune = (it: It<Storage>): void => {
  it.effect("prune removes at most the given number of old rows and totals", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const { agentId, row, run } = yield* newRun;
      const session = (n: number): UsageStore.SessionRow => ({
        agentId,
        session: `s${n}`,
        source: "agent",
        provider: "",
        model: "m",
        totals: Usage.none,
        updatedAt: hour(n),
      });
      const numbers = [1, 2, 3, 10];
      yield* transact(
        store.add({
          reports: [],
          sessions: numbers.map(session),
          rows: numbers.map((n) => row({ at: hour(n), requests: n })),
        }),
      );
      const pruned = transact(store.prune(hour(10), 2));
      assert.strictEqual(yield* pruned, 4);
      assert.strictEqual((yield* usageOf(run.id))?.requests, 13);
      assert.strictEqual(yield* pruned, 2);
      assert.strictEqual(yield* pruned, 0);
      assert.strictEqual((yield* usageOf(run.id))?.requests, 10);
      const left = yield* store.sessions(agentId, ["s1", "s2", "s3", "s10"]);
      assert.deepStrictEqual(left, [session(10)]);
    }),
  );
};

/** The requirements of every `UsageStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`UsageStore: ${name}`, () => {
    block("reports", storage, reports);
    block("sums", storage, sums);
    block("groups", storage, groups);
    block("prune", storage, prune);
    block("ranges", storage, ranges);
  });
};
