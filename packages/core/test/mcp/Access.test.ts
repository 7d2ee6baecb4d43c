import { assert, describe } from "@effect/vitest";
import { EventStore } from "@quartermaster/core";
import { Effect } from "effect";
import { check, refusal, world } from "../support/McpWorld.ts";

const access = (id: string) => world.servers((service) => service.access(id));

const entry = (agentId: string, granted: boolean, tools: ReadonlyArray<string> | null = null) => ({
  agentId,
  granted,
  tools,
  tokens: 0,
});

describe("Access", () => {
  check(
    "[mcp.access.default] the access list has each registered agent, by id, not granted by default",
    Effect.gen(function* () {
      const { id } = yield* world.notes();
      assert.deepStrictEqual(yield* access(id), []);
      for (const agentId of ["b", "a"]) yield* world.register(agentId);
      assert.deepStrictEqual(yield* access(id), [entry("a", false), entry("b", false)]);
    }),
  );

  check(
    "[mcp.access.put] PUT changes the named agents, registers them, and returns all entries",
    Effect.gen(function* () {
      const { id } = yield* world.notes();
      yield* world.register("a");
      yield* world.grant(id, "b", ["x"]);
      const answer = yield* world.putAccess(
        id,
        { agentId: "c", granted: true },
        { agentId: "d", granted: true, tools: ["never-seen", "y"] },
      );
      const all = [
        entry("a", false),
        entry("b", true, ["x"]),
        entry("c", true),
        entry("d", true, ["never-seen", "y"]),
      ];
      assert.deepStrictEqual(answer, all);
      assert.deepStrictEqual(yield* access(id), all);
      assert.deepStrictEqual(yield* world.putAccess(id), all);
      const last = (yield* world.events).at(-2);
      assert.deepInclude(last, { kind: "mcp.accessChanged", subjectId: id });
    }),
  );

  check(
    "[mcp.access.tools] omitted tools stay, null allows all, [] allows none, and a revocation resets them",
    Effect.gen(function* () {
      const { id } = yield* world.notes();
      const after = (input: Parameters<typeof world.putAccess>[1]) =>
        Effect.map(world.putAccess(id, input), ([first]) => first);
      const step = { agentId: "a", granted: true };
      assert.deepStrictEqual(yield* after({ ...step, tools: ["x"] }), entry("a", true, ["x"]));
      assert.deepStrictEqual(yield* after(step), entry("a", true, ["x"]));
      assert.deepStrictEqual(yield* after({ ...step, tools: [] }), entry("a", true, []));
      assert.deepStrictEqual(yield* after(step), entry("a", true, []));
      assert.deepStrictEqual(yield* after({ ...step, tools: null }), entry("a", true));
      yield* after({ ...step, tools: ["x"] });
      assert.deepStrictEqual(
        yield* after({ agentId: "a", granted: false, tools: ["y"] }),
        entry("a", false),
      );
      assert.deepStrictEqual(yield* after(step), entry("a", true));
    }),
  );

  check(
    "[mcp.access.twice] the same agent twice, and an invalid agent id, are refused as a whole",
    Effect.gen(function* () {
      const { id } = yield* world.notes();
      const twice = yield* refusal(
        world.putAccess(
          id,
          { agentId: "a", granted: true },
          { agentId: "b", granted: true },
          { agentId: "a", granted: false },
        ),
      );
      assert.deepInclude(twice, { _tag: "InvalidRequest" });
      assert.include(String(twice), "entries.2.agentId");
      const bad = yield* refusal(
        world.putAccess(
          id,
          { agentId: "a", granted: true },
          { agentId: "not an id", granted: true },
        ),
      );
      assert.strictEqual(bad._tag, "InvalidRequest");
      assert.deepStrictEqual(yield* access(id), []);
    }),
  );

  check(
    "[mcp.access.none] an install grants no access, and an uninstall removes all grants",
    Effect.gen(function* () {
      const first = yield* world.notes();
      yield* world.grant(first.id, "a");
      const second = yield* world.notes();
      assert.deepStrictEqual(yield* access(second.id), [entry("a", false)]);
      yield* world.servers((service) => service.uninstall(first.id));
      const third = yield* world.notes("test-notes");
      assert.deepStrictEqual(yield* access(third.id), [entry("a", false)]);
    }),
  );

  check(
    "[mcp.access.event] an event names the agents that were granted or revoked",
    Effect.gen(function* () {
      const { id } = yield* world.notes();
      yield* world.grant(id, "a", ["x"]);
      yield* world.revoke(id, "a");
      const said = (yield* world.events).filter(({ kind }) => kind === "mcp.accessChanged");
      assert.deepStrictEqual(
        said.map(({ data }) => data["agents"]),
        [[{ agentId: "a", granted: true }], [{ agentId: "a", granted: false }]],
      );
      assert.isAbove(yield* (yield* EventStore.EventStore).lastSeq, 0);
    }),
  );
});
