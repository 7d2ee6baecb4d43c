import { assert, it } from "@effect/vitest";
import { AgentStore } from "@quartermaster/core";
import { Fixtures, SeededRandom, Storage as Testing } from "@quartermaster/testing";
import { Effect, Layer, Option } from "effect";
import { SqlClient } from "effect/sql";
import { PostgresClient, Storage } from "../src/index.ts";
import { emptySchema, layer, options, withServer } from "./support/TestStorage.ts";

const storage = Layer.unwrap(
  Effect.map(emptySchema, (schema) =>
    Layer.provideMerge(Storage.layer(options(schema)), PostgresClient.layer(options(schema))),
  ),
);

withServer(() => {
  it.effect("a heartbeat is idle only without a halt, runs and issues to claim", () =>
    Effect.gen(function* () {
      const agents = yield* AgentStore.AgentStore;
      const { transact } = Testing;
      const now = Fixtures.at(100);
      const isIdle = (agentId: string, projects: ReadonlyArray<string> | null = null) =>
        agents.idleHeartbeat(agentId, projects, now);
      const beatOf = (agentId: string) =>
        Effect.map(agents.get(agentId), (agent) => Option.getOrNull(agent)?.lastHeartbeatAt);
      const register = (agentId: string) => transact(agents.register(agentId, Fixtures.at(1)));

      assert.isFalse(yield* isIdle("a"));
      yield* register("a");
      assert.isTrue(yield* isIdle("a"));
      assert.strictEqual(yield* beatOf("a"), now);

      yield* transact(agents.halt("a", { reason: "r", until: null, since: now, at: now }));
      assert.isFalse(yield* isIdle("a"));

      yield* register("b");
      const issue = yield* Fixtures.issue({ assignedAgentId: "b" });
      assert.isFalse(yield* isIdle("b"));
      assert.isFalse(yield* isIdle("b", [issue.projectId]));
      assert.notExists(yield* beatOf("b"));
      assert.isTrue(yield* isIdle("b", ["another"]));

      yield* register("c");
      yield* register("d");
      const other = yield* Fixtures.issue({ assignedAgentId: "d", notBefore: Fixtures.at(200) });
      assert.isTrue(yield* isIdle("d"));
      yield* Fixtures.run(other, { agentId: "c", leaseExpiresAt: Fixtures.at(50) });
      assert.isFalse(yield* isIdle("c"));
    }).pipe(Effect.provide(Layer.merge(layer, SeededRandom.layer))),
  );

  it.effect(
    "idle heartbeats at the same time share statements, and none stores the time of a busy agent",
    () =>
      Effect.gen(function* () {
        const agents = yield* AgentStore.AgentStore;
        const sql = yield* SqlClient.SqlClient;
        const ids = Array.from({ length: 60 }, (_, index) => `agent-${index}`);
        yield* Testing.transact(
          Effect.forEach(ids, (id) => agents.register(id, Fixtures.at(1)), { discard: true }),
        );
        yield* Fixtures.issue({ assignedAgentId: "agent-7" });
        const stored = yield* Effect.forEach(
          [...ids, "unknown"],
          (id) => agents.idleHeartbeat(id, null, Fixtures.at(100)),
          { concurrency: "unbounded" },
        );
        assert.deepStrictEqual(
          stored,
          [...ids, "unknown"].map((id) => id !== "agent-7" && id !== "unknown"),
        );
        const rows = yield* sql<{ readonly statements: number; readonly agents: number }>`
        SELECT count(DISTINCT xmin::text) AS statements, count(*) AS agents FROM agents
        WHERE last_heartbeat_at = ${Fixtures.at(100)}`;
        assert.strictEqual(rows[0]?.agents, 59);
        assert.isAtMost(rows[0]?.statements ?? 60, 2);
      }).pipe(Effect.provide(Layer.merge(storage, SeededRandom.layer))),
  );
});
