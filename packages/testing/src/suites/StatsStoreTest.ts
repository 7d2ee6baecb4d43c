import { assert, describe } from "@effect/vitest";
import { ActivityStore, StatsStore } from "@quartermaster/core";
import { Effect, type Layer } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, type It, texts } from "../Suite.ts";

const { StatsStore: Stats } = StatsStore;

const row = (overrides: Partial<StatsStore.StatsRow> = {}): StatsStore.StatsRow => ({
  bucket: "hour",
  kind: "events",
  id: "p",
  at: Fixtures.at(0),
  counts: { created: 1 },
  ...overrides,
});

const byId = (rows: ReadonlyArray<StatsStore.StatsRow>) =>
  rows.toSorted((a, b) => (`${a.id} ${a.at}` < `${b.id} ${b.at}` ? -1 : 1));

export const tests = (it: It<Storage>): void => {
  it.effect("put stores rows and a cursor for each source, and rolls both back", () =>
    Effect.gen(function* () {
      const stats = yield* Stats;
      assert.strictEqual(yield* stats.cursor("events"), 0);
      const id = yield* Fixtures.id("project");
      const query = { ...row(), ids: [id], from: Fixtures.at(0), to: Fixtures.at(1) };
      yield* transact(stats.put("events", 7, [row({ id })]));
      const failed = transact(
        Effect.andThen(
          stats.put("events", 9, [row({ id, counts: { created: 2 } })]),
          Effect.fail("no"),
        ),
      );
      yield* Effect.flip(failed);
      assert.strictEqual(yield* stats.cursor("events"), 7);
      assert.deepStrictEqual(yield* stats.list(query), [row({ id })]);
      assert.strictEqual(yield* stats.cursor("toolCalls"), 0);
      yield* transact(stats.put("toolCalls", 3, []));
      assert.strictEqual(yield* stats.cursor("toolCalls"), 3);
      assert.strictEqual(yield* stats.cursor("events"), 7);
    }),
  );

  it.effect(
    "put replaces the counts of a row, and leaves rows that differ in one part of the key",
    () =>
      Effect.gen(function* () {
        const stats = yield* Stats;
        const id = yield* Fixtures.id("project");
        const others = [
          row({ id, bucket: "day" }),
          row({ id, kind: "calls" }),
          row({ id: `${id}x` }),
          row({ id, at: Fixtures.at(3_600) }),
        ];
        yield* transact(stats.put("events", 1, [row({ id }), ...others]));
        const changed = row({ id, counts: { resolved: 5, "Open.12": 1 } });
        yield* transact(stats.put("events", 2, [changed]));
        const list = (query: Partial<StatsStore.StatsQuery>) =>
          Effect.map(
            stats.list({
              bucket: "hour",
              kind: "events",
              ids: [id],
              from: Fixtures.at(0),
              to: Fixtures.at(9_999),
              ...query,
            }),
            byId,
          );
        assert.deepStrictEqual(yield* list({}), [changed, others[3]]);
        assert.deepStrictEqual(yield* list({ bucket: "day" }), [others[0]]);
        assert.deepStrictEqual(yield* list({ kind: "calls" }), [others[1]]);
        assert.deepStrictEqual(yield* list({ ids: [`${id}x`, "unknown", id] }), [
          changed,
          others[3],
          others[2],
        ]);
        assert.deepStrictEqual(yield* list({ ids: [] }), []);
        assert.deepStrictEqual(yield* list({ to: Fixtures.at(3_600) }), [changed]);
        assert.deepStrictEqual(yield* list({ from: Fixtures.at(0.001) }), [others[3]]);
      }),
  );

  it.effect("many rows are stored together", () =>
    Effect.gen(function* () {
      const stats = yield* Stats;
      const id = yield* Fixtures.id("project");
      const rows = Array.from({ length: 250 }, (_, n) => row({ id: `${id}-${1_000 + n}` }));
      yield* transact(stats.put("events", 1, rows));
      const ids = rows.map((some) => some.id);
      const query = { ...row(), ids, from: Fixtures.at(0), to: Fixtures.at(1) };
      assert.deepStrictEqual(byId(yield* stats.list(query)), rows);
    }),
  );

  it.effect.each(texts)("keeps the project %j", (id) =>
    Effect.gen(function* () {
      const stats = yield* Stats;
      yield* transact(stats.put("events", 1, [row({ id, bucket: "day" })]));
      const query = { ids: [id], from: Fixtures.at(0), to: Fixtures.at(1) };
      assert.deepStrictEqual(yield* stats.list({ bucket: "day", kind: "events", ...query }), [
        row({ id, bucket: "day" }),
      ]);
    }),
  );

  it.effect("staysSince returns the issue's newest status change before each end", () =>
    Effect.gen(function* () {
      const stats = yield* Stats;
      const activity = yield* ActivityStore.ActivityStore;
      const [a, b] = [yield* Fixtures.issue(), yield* Fixtures.issue()];
      const entries = yield* Effect.all([
        Fixtures.activityRow(a.id, { kind: "created", createdAt: Fixtures.at(1) }),
        Fixtures.activityRow(b.id, { kind: "created", createdAt: Fixtures.at(2) }),
        Fixtures.activityRow(a.id, { kind: "commented", createdAt: Fixtures.at(3) }),
        Fixtures.activityRow(a.id, { kind: "statusChanged", createdAt: Fixtures.at(5) }),
        Fixtures.activityRow(a.id, { kind: "paused", createdAt: Fixtures.at(6) }),
        Fixtures.activityRow(a.id, { kind: "statusChanged", createdAt: Fixtures.at(9) }),
      ]);
      yield* transact(activity.append(entries));
      const end = (issueId: string, seconds: number) => ({
        issueId,
        endedAt: Fixtures.at(seconds),
      });
      assert.deepStrictEqual(yield* stats.staysSince([]), []);
      assert.deepStrictEqual(
        yield* stats.staysSince([
          end(a.id, 9),
          end(b.id, 9),
          end("iss_unknown", 9),
          end(a.id, 5),
          end(a.id, 1),
          end(a.id, 10),
        ]),
        [5, 2, null, 1, null, 9].map((at) => (at === null ? null : Fixtures.at(at))),
      );
    }),
  );
};

const facts = (it: It<Storage>): void => {
  it.effect("handIns returns the run of the hand-in at each time", () =>
    Effect.gen(function* () {
      const stats = yield* Stats;
      const activity = yield* ActivityStore.ActivityStore;
      const [a, b] = [yield* Fixtures.issue(), yield* Fixtures.issue()];
      const finished = (issueId: string, seconds: number, runId: string) =>
        Fixtures.activityRow(issueId, {
          kind: "finished",
          data: { runId, outcome: "review" },
          createdAt: Fixtures.at(seconds),
        });
      const entries = yield* Effect.all([
        finished(a.id, 1, "run_1"),
        finished(a.id, 5, "run_2"),
        Fixtures.activityRow(a.id, { kind: "statusChanged", createdAt: Fixtures.at(7) }),
        finished(b.id, 5, "run_3"),
      ]);
      yield* transact(activity.append(entries));
      const stay = (issueId: string, seconds: number) => ({ issueId, since: Fixtures.at(seconds) });
      assert.deepStrictEqual(yield* stats.handIns([]), []);
      assert.deepStrictEqual(
        yield* stats.handIns([stay(a.id, 5), stay(a.id, 7), stay(b.id, 5), stay(a.id, 1)]),
        ["run_2", null, "run_3", "run_1"],
      );
    }),
  );

  it.effect("runs returns the agent and the start of stored runs", () =>
    Effect.gen(function* () {
      const stats = yield* Stats;
      const issue = yield* Fixtures.issue();
      const run = yield* Fixtures.run(issue, { agentId: "nova", startedAt: Fixtures.at(3) });
      const found = yield* stats.runs([run.id, "run_unknown"]);
      assert.deepStrictEqual(
        found.map(({ agentId, id, startedAt }) => ({ agentId, id, startedAt })),
        [{ agentId: "nova", id: run.id, startedAt: Fixtures.at(3) }],
      );
      assert.deepStrictEqual(yield* stats.runs([]), []);
    }),
  );

  it.effect("staying returns since when the issues of a status are in it", () =>
    Effect.gen(function* () {
      const stats = yield* Stats;
      const activity = yield* ActivityStore.ActivityStore;
      const projectId = yield* Fixtures.id("project");
      const entryOf = (id: string, kind: "created" | "statusChanged" | "commented", at: number) =>
        Fixtures.activityRow(id, { kind, createdAt: Fixtures.at(at) });
      const a = yield* Fixtures.issue({ projectId });
      const b = yield* Fixtures.issue({ projectId });
      const c = yield* Fixtures.issue({ projectId, status: "InProgress" });
      const entries = yield* Effect.all([
        entryOf(a.id, "created", 1),
        entryOf(b.id, "created", 2),
        entryOf(b.id, "statusChanged", 4),
        entryOf(b.id, "commented", 9),
        entryOf(c.id, "created", 5),
      ]);
      yield* transact(activity.append(entries));
      const query = { projects: [projectId, "unknown"], status: "Open", share: 1 } as const;
      const sinces = yield* stats.staying(query);
      assert.deepStrictEqual(sinces.toSorted(), [Fixtures.at(1), Fixtures.at(4)]);
      assert.deepStrictEqual(yield* stats.staying({ ...query, status: "InProgress" }), [
        Fixtures.at(5),
      ]);
      assert.deepStrictEqual(yield* stats.staying({ ...query, projects: [] }), []);
      assert.include(yield* stats.staying({ ...query, projects: null }), Fixtures.at(4));
      assert.isAtMost((yield* stats.staying({ ...query, share: 0.000_001 })).length, 1);
    }),
  );
};

const prune = (it: It<Storage>): void => {
  it.effect("prune removes at most the given number of rows that start before the timestamp", () =>
    Effect.gen(function* () {
      const stats = yield* Stats;
      const rows = [1, 2, 3, 100, 101].map((at) => row({ at: Fixtures.at(at) }));
      yield* transact(stats.put("events", 1, rows));
      const query = { ...row(), ids: ["p"], from: Fixtures.at(0), to: Fixtures.at(9_999) };
      assert.strictEqual(yield* transact(stats.prune(Fixtures.at(100), 2)), 2);
      assert.lengthOf(yield* stats.list(query), 3);
      assert.strictEqual(yield* transact(stats.prune(Fixtures.at(100), 2)), 1);
      assert.strictEqual(yield* transact(stats.prune(Fixtures.at(100), 2)), 0);
      assert.deepStrictEqual(byId(yield* stats.list(query)), rows.slice(3));
    }),
  );
};

/** The requirements of every `StatsStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`StatsStore: ${name}`, () => {
    block("rows", storage, tests);
    block("facts", storage, facts);
    block("prune", storage, prune);
  });
};
