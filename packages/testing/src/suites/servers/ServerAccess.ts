import { assert } from "@effect/vitest";
import { AccessEntry, AgentStore, McpServerStore } from "@quartermaster/core";
import { Effect, Option } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { type It, texts } from "../../Suite.ts";

const { McpServerStore: Servers } = McpServerStore;

const register = (agentId: string) =>
  AgentStore.AgentStore.use((agents) => transact(agents.register(agentId, Fixtures.at(0))));

const entry = (
  agentId: string,
  granted: boolean,
  tools: AccessEntry.AccessEntry["tools"] = null,
  others: Partial<AccessEntry.Permission> = {},
) => Fixtures.accessRow(agentId, { granted, tools, ...others });

const allowing = (
  tools: AccessEntry.AccessEntry["tools"],
  others: Partial<AccessEntry.Permission> = {},
): AccessEntry.Permission => ({ ...AccessEntry.everything, tools, ...others });

const limits = { readOnly: true, callsPerMinute: 100_000, maxConcurrentCalls: 1 };

export const tests = (it: It<Storage>): void => {
  it.effect("access has one entry per registered agent, by agent id", () =>
    Effect.gen(function* () {
      const servers = yield* Servers;
      const server = yield* Fixtures.server();
      const other = yield* Fixtures.server();
      assert.deepStrictEqual(yield* servers.access(server.id), []);
      yield* Effect.forEach(["b", "a", "B", "c"], register);
      assert.deepStrictEqual(
        yield* servers.access(server.id),
        ["B", "a", "b", "c"].map((agentId) => entry(agentId, false)),
      );

      yield* transact(servers.putAccess(server.id, []));
      yield* transact(
        servers.putAccess(server.id, [
          entry("c", true, ["y", "x"], limits),
          entry("a", true),
          entry("unregistered", true),
        ]),
      );
      const expected = [
        entry("B", false),
        entry("a", true),
        entry("b", false),
        entry("c", true, ["y", "x"], limits),
      ];
      assert.deepStrictEqual(yield* servers.access(server.id), expected);
      assert.isTrue((yield* servers.access(other.id)).every(({ granted }) => !granted));

      yield* transact(servers.putAccess(server.id, [entry("a", true, []), entry("c", false)]));
      assert.deepStrictEqual(yield* servers.access(server.id), [
        entry("B", false),
        entry("a", true, []),
        entry("b", false),
        entry("c", false),
      ]);
      yield* register("unregistered");
      assert.deepStrictEqual(
        (yield* servers.access(server.id)).at(-1),
        entry("unregistered", true),
      );
    }),
  );

  it.effect("putAccess takes many", () =>
    Effect.gen(function* () {
      const servers = yield* Servers;
      const { id } = yield* Fixtures.server();
      const agentIds = Array.from({ length: 250 }, (_, n) => `many-${String(n).padStart(3, "0")}`);
      yield* Effect.forEach(agentIds, register);
      yield* transact(
        servers.putAccess(
          id,
          agentIds.map((agentId) => entry(agentId, true)),
        ),
      );
      const granted = (yield* servers.access(id)).filter((one) => one.granted);
      assert.deepStrictEqual(
        granted.map(({ agentId }) => agentId),
        agentIds,
      );
    }),
  );

  it.effect.each(texts)("keeps the tool's name %j", (tool) =>
    Effect.gen(function* () {
      const servers = yield* Servers;
      const { id, name } = yield* Fixtures.server();
      const agentId = yield* Fixtures.id("agent");
      yield* transact(servers.putAccess(id, [entry(agentId, true, [tool])]));
      const { permission } = yield* Effect.flatMap(servers.offer(name, agentId), Effect.fromOption);
      assert.deepStrictEqual(permission, allowing([tool]));
    }),
  );
};

export const grants = (it: It<Storage>): void => {
  it.effect(
    "grants lists only the agent's grants, oldest server first, regardless of the server's status",
    () =>
      Effect.gen(function* () {
        const servers = yield* Servers;
        const first = yield* Fixtures.server({ name: "z" });
        const second = yield* Fixtures.server({ name: "m", status: "error" });
        const third = yield* Fixtures.server({ name: "a", status: "disabled" });
        assert.deepStrictEqual(yield* servers.grants("agent"), []);
        yield* transact(
          servers.putAccess(third.id, [entry("agent", true), entry("other", true, ["o"])]),
        );
        yield* transact(servers.putAccess(second.id, [entry("agent", false, ["b"])]));
        yield* transact(servers.putAccess(first.id, [entry("agent", true, ["a", "b"], limits)]));
        assert.deepStrictEqual(yield* servers.grants("agent"), [
          { server: first, permission: allowing(["a", "b"], limits) },
          { server: third, permission: allowing(null) },
        ]);
        assert.deepStrictEqual(yield* servers.grants("other"), [
          { server: third, permission: allowing(["o"]) },
        ]);
        assert.deepStrictEqual(yield* servers.grants("Agent"), []);

        yield* transact(servers.putAccess(second.id, [entry("agent", true, [])]));
        yield* transact(servers.putAccess(first.id, [entry("agent", false)]));
        assert.deepStrictEqual(yield* servers.grants("agent"), [
          { server: second, permission: allowing([]) },
          { server: third, permission: allowing(null) },
        ]);
        const changed = { ...third, name: "q", generation: 5 };
        yield* transact(servers.update(changed));
        assert.deepStrictEqual((yield* servers.grants("agent")).at(-1)?.server, changed);
      }),
  );

  it.effect("offer returns the server with that name, and its grant", () =>
    Effect.gen(function* () {
      const servers = yield* Servers;
      const server = yield* Fixtures.server();
      const other = yield* Fixtures.server();
      const { offer } = servers;
      const notGranted = Option.some({ server, permission: null });
      assert.deepStrictEqual(yield* offer(server.name, "lone"), notGranted);
      yield* transact(
        servers.putAccess(server.id, [entry("lone", true, ["a"], limits), entry("two", true)]),
      );
      assert.deepStrictEqual(
        yield* offer(server.name, "lone"),
        Option.some({ server, permission: allowing(["a"], limits) }),
      );
      assert.deepStrictEqual(
        yield* offer(server.name, "two"),
        Option.some({ server, permission: allowing(null) }),
      );
      assert.deepStrictEqual(
        yield* offer(other.name, "lone"),
        Option.some({ server: other, permission: null }),
      );
      assert.deepStrictEqual(yield* offer("unknown", "lone"), Option.none());
      yield* transact(servers.putAccess(server.id, [entry("lone", false)]));
      assert.deepStrictEqual(yield* offer(server.name, "lone"), notGranted);
    }),
  );
};
