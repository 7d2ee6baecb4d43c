import { assert, describe } from "@effect/vitest";
import { AgentStore, IssueStore, McpServerStore, RunStore } from "@quartermaster/core";
import { Effect, type Layer, Option } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, checkPaging, everything, type It, texts } from "../Suite.ts";

const now = Fixtures.at(100);

/** The fields that `register` stores in addition to the name. */
const unnamed = { paused: false, toolMode: "direct", callsNeedRun: false } as const;

const rows = (it: It<Storage>): void => {
  it.effect("register stores an agent named like its id, and returns whether it is new", () =>
    Effect.gen(function* () {
      const agents = yield* AgentStore.AgentStore;
      const id = yield* Fixtures.id("agent");
      assert.deepStrictEqual(yield* agents.get(id), Option.none());
      assert.isTrue(yield* transact(agents.register(id, Fixtures.at(1.5))));
      const kept = yield* Effect.flatMap(agents.get(id), Effect.fromOption);
      assert.deepStrictEqual(kept, {
        seq: kept.seq,
        id,
        name: id,
        lastHeartbeatAt: null,
        paused: false,
        toolMode: "direct",
        callsNeedRun: false,
        createdAt: Fixtures.at(1.5),
        halted: null,
      });
      assert.isFalse(yield* transact(agents.register(id, Fixtures.at(2))));
      assert.deepStrictEqual(yield* agents.get(id), Option.some(kept));
      assert.isTrue(yield* transact(agents.register(id.toLowerCase(), Fixtures.at(2))));
    }),
  );

  it.effect("one of many concurrent changes that register an agent registers it", () =>
    Effect.gen(function* () {
      const agents = yield* AgentStore.AgentStore;
      const id = yield* Fixtures.id("agent");
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => transact(agents.register(id, now))),
        { concurrency: "unbounded" },
      );
      assert.lengthOf(answers.filter(Boolean), 1);
    }),
  );

  it.effect("update and heartbeat change only their fields, and only of that agent", () =>
    Effect.gen(function* () {
      const agents = yield* AgentStore.AgentStore;
      const id = yield* Fixtures.id("agent");
      const other = yield* Fixtures.id("agent");
      yield* transact(agents.register(id, now));
      yield* transact(agents.register(other, now));
      const before = yield* Effect.flatMap(agents.get(id), Effect.fromOption);
      const untouched = yield* agents.get(other);
      const changes = {
        name: "Ada",
        paused: true,
        toolMode: "search",
        callsNeedRun: true,
      } as const;
      yield* transact(agents.update({ id, ...changes }));
      yield* transact(agents.heartbeat(id, Fixtures.at(101)));
      yield* transact(agents.heartbeat(id, Fixtures.at(102)));
      yield* transact(agents.register(id, Fixtures.at(103)));
      const after = { ...before, ...changes, lastHeartbeatAt: Fixtures.at(102) };
      assert.deepStrictEqual(yield* agents.get(id), Option.some(after));
      assert.deepStrictEqual(yield* agents.get(other), untouched);
    }),
  );

  it.effect(
    "halt stores one record until it is taken away, and heartbeats tell whether there is one",
    () =>
      Effect.gen(function* () {
        const agents = yield* AgentStore.AgentStore;
        const id = yield* Fixtures.id("agent");
        assert.isNull(yield* transact(agents.heartbeat(id, now)));
        yield* transact(agents.register(id, now));
        assert.isFalse(yield* transact(agents.heartbeat(id, now)));
        const halted = { reason: "A “limit”", until: null, since: now, at: Fixtures.at(101) };
        yield* transact(agents.halt(id, halted));
        const stored = Effect.map(
          Effect.flatMap(agents.get(id), Effect.fromOption),
          (row) => row.halted,
        );
        assert.deepStrictEqual(yield* stored, halted);
        assert.isTrue(yield* transact(agents.heartbeat(id, now)));
        yield* transact(agents.halt(id, null));
        assert.isNull(yield* stored);
        assert.isFalse(yield* transact(agents.heartbeat(id, now)));
      }),
  );

  it.effect("update and heartbeat of an unknown agent do not register it", () =>
    Effect.gen(function* () {
      const agents = yield* AgentStore.AgentStore;
      const id = yield* Fixtures.id("agent");
      yield* transact(agents.update({ id, ...unnamed, name: "Ada" }));
      yield* transact(agents.heartbeat(id, now));
      assert.deepStrictEqual(yield* agents.get(id), Option.none());
    }),
  );

  it.effect.each(texts)("keeps the name %j", (name) =>
    Effect.gen(function* () {
      const agents = yield* AgentStore.AgentStore;
      const id = yield* Fixtures.id("agent");
      yield* transact(agents.register(id, now));
      yield* transact(agents.update({ id, ...unnamed, name }));
      const kept = yield* Effect.flatMap(agents.get(id), Effect.fromOption);
      assert.strictEqual(kept.name, name);
    }),
  );
};

const removal = (it: It<Storage>): void => {
  it.effect("a removed agent and its access are gone, its runs and other agents stay", () =>
    Effect.gen(function* () {
      const agents = yield* AgentStore.AgentStore;
      const runs = yield* RunStore.RunStore;
      const servers = yield* McpServerStore.McpServerStore;
      const id = yield* Fixtures.id("agent");
      const other = yield* Fixtures.id("agent");
      const server = yield* transact(Fixtures.server());
      const run = yield* Effect.flatMap(Fixtures.issue(), (issue) =>
        Fixtures.run(issue, { agentId: id, ...Fixtures.ended(now) }),
      );
      for (const agentId of [id, other]) yield* transact(agents.register(agentId, now));
      const entries = [id, other].map((agentId) => Fixtures.accessRow(agentId));
      yield* transact(servers.putAccess(server.id, entries));
      const untouched = yield* agents.get(other);
      yield* transact(agents.remove(id));
      yield* transact(agents.remove("unknown"));
      assert.deepStrictEqual(yield* agents.get(id), Option.none());
      assert.deepStrictEqual(yield* agents.get(other), untouched);
      assert.isTrue(Option.isSome(yield* runs.get(run.id)));
      yield* transact(agents.register(id, now));
      const access = yield* servers.access(server.id);
      assert.deepStrictEqual(
        [id, other].map((agentId) => access.find((entry) => entry.agentId === agentId)?.granted),
        [false, true],
      );
    }),
  );

  it.effect("count is the number of agents", () =>
    Effect.gen(function* () {
      const agents = yield* AgentStore.AgentStore;
      const before = yield* agents.count;
      const ids = yield* Effect.replicateEffect(Fixtures.id("agent"), 3);
      for (const id of [...ids, ...ids]) yield* transact(agents.register(id, now));
      assert.strictEqual(yield* agents.count, before + 3);
      for (const id of ids) yield* transact(agents.remove(id));
      assert.strictEqual(yield* agents.count, before);
    }),
  );

  it.effect("countSince is the number of agents with a heartbeat since then", () =>
    Effect.gen(function* () {
      const agents = yield* AgentStore.AgentStore;
      const late = 1e9;
      const beats = [null, late - 1, late, late + 1];
      for (const beat of beats) {
        const id = yield* Fixtures.id("agent");
        yield* transact(agents.register(id, Fixtures.at(late)));
        if (beat !== null) yield* transact(agents.heartbeat(id, Fixtures.at(beat)));
      }
      assert.strictEqual(yield* agents.countSince(Fixtures.at(late)), 2);
      assert.strictEqual(yield* agents.countSince(Fixtures.at(late + 0.001)), 1);
    }),
  );

  it.effect("isAssigned finds an issue of any project and status, and not of another agent", () =>
    Effect.gen(function* () {
      const agents = yield* AgentStore.AgentStore;
      const issues = yield* IssueStore.IssueStore;
      assert.isFalse(yield* agents.isAssigned("nobody"));
      for (const projectId of ["a", "m", "z"]) {
        const id = yield* Fixtures.id("agent");
        const issue = yield* Fixtures.issue({ projectId, assignedAgentId: id, status: "Closed" });
        assert.isTrue(yield* agents.isAssigned(id));
        assert.isFalse(yield* agents.isAssigned(`${id}x`));
        yield* transact(issues.update([{ ...issue, assignedAgentId: null }]));
        assert.isFalse(yield* agents.isAssigned(id));
      }
    }),
  );
};

const paging = (it: It<Storage>): void => {
  it.effect("list shows all agents, page by page, in both orders", () =>
    Effect.gen(function* () {
      const agents = yield* AgentStore.AgentStore;
      yield* checkPaging(
        (slice) => agents.list(null, now, slice),
        Effect.tap(Fixtures.id("agent"), (id) => transact(agents.register(id, now))),
      );
    }),
  );
};

const activeRuns = (it: It<Storage>): void => {
  it.effect("list counts the runs that are live at the given time", () =>
    Effect.gen(function* () {
      const agents = yield* AgentStore.AgentStore;
      const busy = yield* Fixtures.id("agent");
      const idle = yield* Fixtures.id("agent");
      yield* transact(agents.register(busy, now));
      yield* transact(agents.register(idle, now));
      yield* transact(agents.update({ id: busy, ...unnamed, name: "Busy" }));
      const run = (agentId: string, overrides: Parameters<typeof Fixtures.run>[1]) =>
        Effect.flatMap(Fixtures.issue({ projectId: "seen" }), (issue) =>
          Fixtures.run(issue, { agentId, leaseExpiresAt: Fixtures.at(101), ...overrides }),
        );
      yield* run(busy, {});
      yield* run(busy, { status: "stopping", stopReason: "paused" });
      yield* run(busy, { leaseExpiresAt: Fixtures.at(100) });
      yield* run(busy, Fixtures.ended(Fixtures.at(50)));
      yield* run(idle, Fixtures.ended(Fixtures.at(50)));
      const counts = (seconds: number, projects: ReadonlyArray<string> | null = null) =>
        Effect.map(agents.list(projects, Fixtures.at(seconds), everything), (rows) =>
          rows.map(({ activeRuns, id, name }) => [id, name, activeRuns]),
        );
      assert.deepStrictEqual(yield* counts(100), [
        [busy, "Busy", 2],
        [idle, idle, 0],
      ]);
      assert.deepStrictEqual(yield* counts(99.999), [
        [busy, "Busy", 3],
        [idle, idle, 0],
      ]);
      assert.deepStrictEqual(yield* counts(101), [
        [busy, "Busy", 0],
        [idle, idle, 0],
      ]);
      assert.deepStrictEqual(yield* counts(100, ["other", "seen"]), yield* counts(100));
      assert.deepStrictEqual(yield* counts(100, ["other"]), yield* counts(101));
      assert.deepStrictEqual(yield* counts(100, []), yield* counts(101));
    }),
  );
};

/** The requirements of every `AgentStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`AgentStore: ${name}`, () => {
    block("rows", storage, rows);
    block("removal", storage, removal);
    block("paging", storage, paging);
    block("active runs", storage, activeRuns);
  });
};
