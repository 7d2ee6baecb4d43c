import { assert } from "@effect/vitest";
import { AgentStore, InboxItem, InboxStore, type Issue, ProjectStore } from "@quartermaster/core";
import { Effect } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import type { It } from "../../Suite.ts";
import { all, check, now } from "./InboxPages.ts";

const silentSince = Fixtures.at(400);

/** An agent with the given time of its last heartbeat; null for an agent without one. */
const agent = Effect.fnUntraced(function* (
  lastHeartbeatAt: string | null,
  createdAt = Fixtures.at(0),
) {
  const agents = yield* AgentStore.AgentStore;
  const id = yield* Fixtures.id("agent");
  yield* transact(agents.register(id, createdAt));
  if (lastHeartbeatAt !== null) yield* transact(agents.heartbeat(id, lastHeartbeatAt));
  return id;
});

const silentIn = Effect.fnUntraced(function* (projects: ReadonlyArray<string> | null) {
  const store = yield* InboxStore.InboxStore;
  const rows = yield* store.silentAgents({ projects, now, silentSince }, all);
  return rows.map(({ id }) => id);
});

export const tests = (it: It<Storage>): void => {
  it.effect(
    "silent agents with work are sorted by their last heartbeat, or registration, and id",
    () =>
      Effect.gen(function* () {
        const store = yield* InboxStore.InboxStore;
        const projectId = yield* Fixtures.id("project");
        const stored: Array<InboxStore.InboxKey> = [];
        for (const [heartbeat, created] of [
          [399, 0],
          [100, 0],
          [null, 350],
          [100, 1],
          [null, 50],
          [400, 0],
        ] as const) {
          const at = heartbeat === null ? null : Fixtures.at(heartbeat);
          const id = yield* agent(at, Fixtures.at(created));
          yield* Fixtures.issue({ projectId, assignedAgentId: id });
          if (heartbeat === 400) continue;
          const since = at ?? Fixtures.at(created);
          stored.push({ priority: InboxItem.priorityOf.agentSilent, since, id });
        }
        const list = (slice: typeof all) =>
          store.silentAgents({ projects: [projectId], now, silentSince }, slice);
        yield* check(
          list,
          ({ createdAt, id, lastHeartbeatAt }) => ({
            priority: InboxItem.priorityOf.agentSilent,
            since: lastHeartbeatAt ?? createdAt,
            id,
          }),
          stored,
        );
        // Agents share one priority: they sort before less urgent and after more urgent items.
        const after = { since: Fixtures.at(0), id: "" };
        assert.lengthOf(yield* list({ ...all, after: { ...after, priority: "low" } }), 0);
        assert.lengthOf(yield* list({ ...all, after: { ...after, priority: "urgent" } }), 5);
      }),
  );

  it.effect(
    "halted runners come by their first heartbeat that said so, and id, for two hours",
    () =>
      Effect.gen(function* () {
        const store = yield* InboxStore.InboxStore;
        const agents = yield* AgentStore.AgentStore;
        const projectId = yield* Fixtures.id("project");
        const haltedSince = Fixtures.at(300);
        const stored: Array<InboxStore.InboxKey> = [];
        for (const [since, at] of [
          [100, 301],
          [50, 400],
          [50, 400],
          [10, 300],
        ] as const) {
          const id = yield* agent(Fixtures.at(at));
          yield* Fixtures.issue({ projectId, assignedAgentId: id });
          const halted = {
            reason: "limit",
            until: null,
            since: Fixtures.at(since),
            at: Fixtures.at(at),
          };
          yield* transact(agents.halt(id, halted));
          if (at === 300) continue;
          stored.push({
            priority: InboxItem.priorityOf.runnerHalted,
            since: Fixtures.at(since),
            id,
          });
        }
        yield* agent(Fixtures.at(400));
        const list = (projects: ReadonlyArray<string> | null) => (slice: typeof all) =>
          store.haltedAgents({ projects, now, haltedSince }, slice);
        yield* check(
          list([projectId]),
          ({ halted, id }) => ({
            priority: InboxItem.priorityOf.runnerHalted,
            since: halted.since,
            id,
          }),
          stored,
        );
        const other = yield* Fixtures.id("project");
        assert.lengthOf(yield* list([other])(all), 0);
        const everywhere = (yield* list(null)(all)).map(({ id }) => id);
        assert.includeMembers(
          everywhere,
          stored.map(({ id }) => id),
        );
      }),
  );

  const busy: ReadonlyArray<readonly [string, boolean, Partial<Issue.IssueRow>]> = [
    ["an open issue", true, {}],
    ["an issue in progress that no run holds", true, { status: "InProgress" }],
    ["an issue that was deferred", true, { notBefore: now }],
    ["a deferred issue", false, { notBefore: Fixtures.at(1_001) }],
    ["a paused issue", false, { pausedBecause: "person" }],
    ["a waiting issue", false, { status: "WaitingOnDependency" }],
    ["a resolved issue", false, { status: "Resolved" }],
  ];
  it.effect.each(busy)("an agent with %s: listed is %s", ([, isListed, fields]) =>
    Effect.gen(function* () {
      const id = yield* agent(null);
      const projectId = yield* Fixtures.id("project");
      yield* Fixtures.issue({ projectId, assignedAgentId: id, ...fields });
      assert.deepStrictEqual(yield* silentIn([projectId]), isListed ? [id] : []);
      assert.deepStrictEqual(yield* silentIn([`${projectId}x`]), []);
      assert.strictEqual((yield* silentIn(null)).includes(id), isListed);
    }),
  );

  it.effect("an agent with a live run is listed, even while it is paused", () =>
    Effect.gen(function* () {
      const agents = yield* AgentStore.AgentStore;
      const projectId = yield* Fixtures.id("project");
      const id = yield* agent(null);
      const issue = yield* Fixtures.issue({ projectId, pausedBecause: "person" });
      yield* Fixtures.run(issue, {
        agentId: id,
        status: "stopping",
        leaseExpiresAt: Fixtures.at(1_001),
      });
      const other = yield* agent(null);
      const dead = yield* Fixtures.issue({ projectId, pausedBecause: "person" });
      yield* Fixtures.run(dead, { agentId: other, leaseExpiresAt: now });
      assert.deepStrictEqual(yield* silentIn([projectId]), [id]);
      assert.deepStrictEqual(yield* silentIn([`${projectId}x`]), []);
      yield* transact(
        agents.update({ id, name: id, paused: true, toolMode: "direct", callsNeedRun: false }),
      );
      assert.deepStrictEqual(yield* silentIn([projectId]), [id]);
    }),
  );

  it.effect("a paused agent, and an agent of a paused project, has no issue to pick up", () =>
    Effect.gen(function* () {
      const agents = yield* AgentStore.AgentStore;
      const projects = yield* ProjectStore.ProjectStore;
      const projectId = yield* Fixtures.id("project");
      const first = yield* agent(null);
      const second = yield* agent(null);
      yield* Fixtures.issue({ projectId, assignedAgentId: first });
      yield* Fixtures.issue({ projectId: `${projectId}x`, assignedAgentId: second });
      const both = [projectId, `${projectId}x`];
      assert.sameMembers([...(yield* silentIn(both))], [first, second]);
      yield* transact(
        agents.update({
          id: first,
          name: "a",
          paused: true,
          toolMode: "direct",
          callsNeedRun: false,
        }),
      );
      assert.deepStrictEqual(yield* silentIn(both), [second]);
      yield* transact(projects.setPaused(`${projectId}x`, true));
      assert.deepStrictEqual(yield* silentIn(both), []);
    }),
  );
};
