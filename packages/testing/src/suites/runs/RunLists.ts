import { assert } from "@effect/vitest";
import { type Run, RunStore } from "@quartermaster/core";
import { Effect, Option } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { checkPaging, everything, ids, type It } from "../../Suite.ts";

const now = Fixtures.at(100);

const start = (agentId: string, overrides: Partial<Run.RunRow> = {}) =>
  Effect.flatMap(Fixtures.issue(), (issue) =>
    Fixtures.run(issue, { agentId, leaseExpiresAt: Fixtures.at(101), ...overrides }),
  );

const stopping = { status: "stopping", stopReason: "closed" } as const;
const over = { leaseExpiresAt: Fixtures.at(100) };

export const tests = (it: It<Storage>): void => {
  it.effect(
    "notEnded returns the agent's runs, including runs with an expired lease, oldest first",
    () =>
      Effect.gen(function* () {
        const runs = yield* RunStore.RunStore;
        const agentId = yield* Fixtures.id("agent");
        const a = yield* start(agentId, { startedAt: Fixtures.at(50) });
        yield* start(agentId, Fixtures.ended(Fixtures.at(1)));
        const b = yield* start(agentId, { ...over, startedAt: Fixtures.at(20) });
        const c = yield* start(agentId, { ...stopping, startedAt: Fixtures.at(30) });
        yield* start(agentId.toLowerCase());
        assert.deepStrictEqual(yield* runs.notEnded(agentId), [a, b, c]);
        assert.deepStrictEqual(yield* runs.notEnded("nobody"), []);
      }),
  );

  it.effect(
    "ofWorker returns the runs of one worker of one agent, including ended runs, newest first",
    () =>
      Effect.gen(function* () {
        const runs = yield* RunStore.RunStore;
        const agentId = yield* Fixtures.id("agent");
        const worker = yield* Fixtures.id("hash");
        const a = yield* start(agentId, { worker });
        const b = yield* start(agentId, { ...Fixtures.ended(Fixtures.at(1)), worker });
        yield* start(agentId);
        yield* start(agentId, { worker: `${worker}x` });
        yield* start(`${agentId}x`, { worker });
        assert.deepStrictEqual(yield* runs.ofWorker(agentId, worker), [b, a]);
        yield* transact(runs.update([{ ...a, worker: null }]));
        assert.deepStrictEqual(yield* runs.ofWorker(agentId, worker), [b]);
      }),
  );

  it.effect(
    "notEndedIn returns the runs of the project's issues, of every agent, oldest first",
    () =>
      Effect.gen(function* () {
        const runs = yield* RunStore.RunStore;
        const projectId = yield* Fixtures.id("project");
        const startIn = (project: string, overrides: Partial<Run.RunRow> = {}) =>
          Effect.flatMap(Fixtures.issue({ projectId: project }), (issue) =>
            Fixtures.run(issue, { leaseExpiresAt: Fixtures.at(101), ...overrides }),
          );
        const a = yield* startIn(projectId, { agentId: "a" });
        yield* startIn(projectId, Fixtures.ended(Fixtures.at(1)));
        yield* startIn(`${projectId}x`);
        const b = yield* startIn(projectId, { agentId: "b", ...over });
        const c = yield* startIn(projectId, { agentId: "a", ...stopping });
        assert.deepStrictEqual(yield* runs.notEndedIn(projectId), [a, b, c]);
        assert.deepStrictEqual(yield* runs.notEndedIn("nothing"), []);
      }),
  );

  it.effect("list returns only the agent's runs, page by page, in both orders", () =>
    Effect.gen(function* () {
      const runs = yield* RunStore.RunStore;
      const agentId = yield* Fixtures.id("agent");
      yield* checkPaging(
        (slice) => runs.list({ agentId, projects: null, now, status: "active" }, slice),
        Effect.gen(function* () {
          yield* start(`${agentId}x`);
          yield* start(agentId, over);
          const { id } = yield* start(agentId);
          return id;
        }),
      );
    }),
  );

  it.effect("a run with an expired lease counts as ended, and is returned in its stored form", () =>
    Effect.gen(function* () {
      const runs = yield* RunStore.RunStore;
      const agentId = yield* Fixtures.id("agent");
      const active = yield* start(agentId);
      const stops = yield* start(agentId, stopping);
      const expired = yield* start(agentId, over);
      const expiredStopping = yield* start(agentId, { ...stopping, ...over });
      const ended = yield* start(agentId, Fixtures.ended(Fixtures.at(1)));
      const list = (status?: Run.RunStatus, at = now) =>
        runs.list({ agentId, projects: null, now: at, status }, everything);
      assert.deepStrictEqual(yield* list(), [active, stops, expired, expiredStopping, ended]);
      assert.deepStrictEqual(yield* list("active"), [active]);
      assert.deepStrictEqual(yield* list("stopping"), [stops]);
      assert.deepStrictEqual(yield* list("ended"), [expired, expiredStopping, ended]);
      assert.deepStrictEqual(yield* list("active", Fixtures.at(99.999)), [active, expired]);
      assert.deepStrictEqual(yield* list("stopping", Fixtures.at(101)), []);
      assert.lengthOf(yield* list("ended", Fixtures.at(101)), 5);
    }),
  );

  it.effect("list filters by the end of runs, which may be the end of the lease", () =>
    Effect.gen(function* () {
      const runs = yield* RunStore.RunStore;
      const agentId = yield* Fixtures.id("agent");
      yield* start(agentId);
      const expired = yield* start(agentId, { leaseExpiresAt: Fixtures.at(50) });
      const early = yield* start(agentId, Fixtures.ended(Fixtures.at(10)));
      const late = yield* start(agentId, {
        ...Fixtures.ended(Fixtures.at(60)),
        leaseExpiresAt: Fixtures.at(1),
      });
      const list = (endedFrom: number) =>
        Effect.map(
          runs.list(
            { agentId, projects: null, now, endedFrom: Fixtures.at(endedFrom) },
            everything,
          ),
          ids,
        );
      assert.deepStrictEqual(yield* list(1), ids([expired, early, late]));
      assert.deepStrictEqual(yield* list(50), ids([expired, late]));
      assert.deepStrictEqual(yield* list(60), ids([late]));
      assert.deepStrictEqual(yield* list(60.001), []);
    }),
  );

  it.effect("list omits runs of issues in other projects", () =>
    Effect.gen(function* () {
      const runs = yield* RunStore.RunStore;
      const agentId = yield* Fixtures.id("agent");
      const make = (projectId: string) =>
        Effect.flatMap(Fixtures.issue({ projectId }), (issue) => Fixtures.run(issue, { agentId }));
      const [a, b, a2] = yield* Effect.all([make("a"), make("b"), make("a")]);
      const list = (projects: ReadonlyArray<string> | null) =>
        Effect.map(runs.list({ agentId, projects, now }, everything), ids);
      assert.deepStrictEqual(yield* list(null), ids([a, b, a2]));
      assert.deepStrictEqual(yield* list(["a"]), ids([a, a2]));
      assert.deepStrictEqual(yield* list(["b", "c"]), ids([b]));
      assert.deepStrictEqual(yield* list(["A"]), []);
      assert.deepStrictEqual(yield* list([]), []);
    }),
  );
};

export const expired = (it: It<Storage>): void => {
  it.effect("expired returns runs of all agents that have not ended, oldest lease first", () =>
    Effect.gen(function* () {
      const runs = yield* RunStore.RunStore;
      const lease = (seconds: number) => ({ leaseExpiresAt: Fixtures.at(seconds) });
      const third = yield* start("a", lease(100));
      yield* start("a", lease(100.001));
      const first = yield* start("b", lease(-3));
      yield* start("b", { ...Fixtures.ended(Fixtures.at(1)), ...lease(5) });
      const second = yield* start("a", { ...stopping, ...lease(99) });
      const list = (limit: number) => Effect.map(runs.expired(now, limit), ids);
      assert.deepStrictEqual(yield* list(10), ids([first, second, third]));
      assert.deepStrictEqual(yield* list(2), ids([first, second]));
      assert.deepStrictEqual(yield* runs.expired(Fixtures.at(-3.001), 10), []);
    }),
  );
};

export const shortenLeases = (it: It<Storage>): void => {
  it.effect("shortenLeases shortens leases that are too long, of runs that have not ended", () =>
    Effect.gen(function* () {
      const runs = yield* RunStore.RunStore;
      const lease = (seconds: number) => ({
        leaseSeconds: 90,
        leaseExpiresAt: Fixtures.at(100 + seconds),
      });
      const rows = yield* Effect.all([
        start("a", lease(-1)),
        start("a", lease(90)),
        start("b", lease(150)),
        start("b", lease(150.001)),
        start("c", { ...stopping, ...lease(86_400) }),
        start("c", { ...Fixtures.ended(Fixtures.at(1)), ...lease(86_400) }),
      ]);
      assert.strictEqual(yield* transact(runs.shortenLeases(now)), 2);
      const after = yield* Effect.forEach(rows, ({ id }) => runs.get(id));
      const shortened = (row: Run.RunRow | undefined) =>
        row && { ...row, leaseExpiresAt: Fixtures.at(190) };
      assert.deepStrictEqual(after.map(Option.getOrUndefined), [
        ...rows.slice(0, 3),
        shortened(rows[3]),
        shortened(rows[4]),
        rows[5],
      ]);
      assert.strictEqual(yield* transact(runs.shortenLeases(now)), 0);
    }),
  );
};

export const prune = (it: It<Storage>): void => {
  it.effect("prune removes at most the given number of runs that ended before the timestamp", () =>
    Effect.gen(function* () {
      const runs = yield* RunStore.RunStore;
      const agentId = "agent";
      for (const seconds of [97, 98, 99.999]) {
        yield* start(agentId, Fixtures.ended(Fixtures.at(seconds)));
      }
      const exact = yield* start(agentId, Fixtures.ended(Fixtures.at(100)));
      const active = yield* start(agentId, { startedAt: Fixtures.at(-9), ...over });
      const stops = yield* start(agentId, stopping);
      const left = () => Effect.map(runs.list({ agentId, projects: null, now }, everything), ids);
      assert.strictEqual(yield* transact(runs.prune(now, 2)), 2);
      assert.lengthOf(yield* left(), 4);
      assert.strictEqual(yield* transact(runs.prune(now, 2)), 1);
      assert.deepStrictEqual(yield* left(), ids([exact, active, stops]));
      assert.strictEqual(yield* transact(runs.prune(now, 2)), 0);
    }),
  );
};
