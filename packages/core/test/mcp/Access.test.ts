import { assert, describe } from "@effect/vitest";
import { AccessEntry, EventStore } from "@quartermaster/core";
import { Fixtures } from "@quartermaster/testing";
import { Effect, Fiber } from "effect";
import { check, reasonOf, refusal, world } from "../support/McpWorld.ts";

const access = (id: string) =>
  world.servers((service) => Effect.map(service.access(id), ({ items }) => items));

const entry = (agentId: string, granted: boolean, tools: ReadonlyArray<string> | null = null) => ({
  agentId,
  granted,
  ...AccessEntry.everything,
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
    "[mcp.access.pages] the access list has pages with a limit or a cursor, and all entries without",
    Effect.gen(function* () {
      const { id } = yield* world.notes();
      for (const agentId of ["b", "c", "a", "d"]) yield* world.register(agentId);
      const page = (request: { limit?: number; cursor?: string; order?: "asc" | "desc" }) =>
        world.servers((service) => service.access(id, request));
      const idsOf = (items: ReadonlyArray<AccessEntry.AccessEntry>) =>
        items.map(({ agentId }) => agentId);
      assert.deepInclude(yield* page({}), { next: null });
      const first = yield* page({ limit: 3 });
      assert.deepStrictEqual(idsOf(first.items), ["a", "b", "c"]);
      const rest = yield* page({ cursor: first.next ?? "" });
      assert.deepStrictEqual([idsOf(rest.items), rest.next], [["d"], null]);
      assert.deepStrictEqual(idsOf((yield* page({ order: "desc" })).items), ["d", "c", "b", "a"]);
      const refused = yield* refusal(page({ limit: 501 }));
      assert.strictEqual(refused._tag, "InvalidRequest");
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
    "[mcp.access.limits] omitted limits stay, null clears them, and a revocation resets all of them",
    Effect.gen(function* () {
      const { id } = yield* world.notes();
      const after = (input: object) =>
        Effect.map(
          world.putAccess(id, { agentId: "a", granted: true, ...input }),
          ([first]) => first,
        );
      const limits = { readOnly: true, callsPerMinute: 100_000, maxConcurrentCalls: 1 };
      const limited = { ...entry("a", true, ["x"]), ...limits };
      assert.deepStrictEqual(yield* after({ tools: ["x"], ...limits }), limited);
      assert.deepStrictEqual(yield* after({}), limited);
      assert.deepStrictEqual(yield* after({ readOnly: null }), limited);
      const cleared = { readOnly: false, callsPerMinute: null, maxConcurrentCalls: null };
      assert.deepStrictEqual(yield* after({ callsPerMinute: null }), {
        ...limited,
        callsPerMinute: null,
      });
      assert.deepStrictEqual(yield* after(cleared), entry("a", true, ["x"]));
      yield* after(limits);
      assert.deepStrictEqual(yield* after({ granted: false, ...limits }), entry("a", false));
      assert.deepStrictEqual(yield* after({}), entry("a", true));
      for (const wrong of [
        { callsPerMinute: 0 },
        { callsPerMinute: 100_001 },
        { maxConcurrentCalls: 1.5 },
        { maxConcurrentCalls: "1" },
        { readOnly: "true" },
      ]) {
        assert.strictEqual((yield* refusal(after(wrong)))._tag, "InvalidRequest");
      }
    }),
  );

  check(
    "[mcp.access.readOnly] a read-only grant lists and allows only accepted tools with readOnlyHint",
    Effect.gen(function* () {
      const { id, server } = yield* world.running([]);
      const hinted = (name: string, hint: unknown) =>
        Fixtures.definition(name, { annotations: { readOnlyHint: hint } });
      server.tools = [
        hinted("read", true),
        hinted("peek", true),
        hinted("write", false),
        Fixtures.definition("silent"),
        Fixtures.definition("destructive", { annotations: { destructiveHint: false } }),
      ];
      yield* world.accept(id);
      assert.lengthOf(yield* world.names(), 5);
      const before = yield* world.revision();
      const [all] = yield* access(id);
      yield* world.putAccess(id, { agentId: "bot", granted: true, readOnly: true });
      assert.deepStrictEqual(yield* world.names(), ["test-notes__read", "test-notes__peek"]);
      assert.notStrictEqual(yield* world.revision(), before);
      const [some] = yield* access(id);
      assert.isBelow(some?.tokens ?? 0, all?.tokens ?? 0);
      assert.strictEqual(yield* reasonOf(world.call("test-notes__silent")), "notGranted");
      yield* world.putAccess(id, { agentId: "bot", granted: true, tools: ["read", "write"] });
      assert.deepStrictEqual(yield* world.names(), ["test-notes__read"]);
      for (const name of ["peek", "write"]) {
        assert.strictEqual(yield* reasonOf(world.call(`test-notes__${name}`)), "notGranted");
      }
      // The server's own hints count once they are accepted.
      server.tools = [hinted("read", false), hinted("write", true)];
      yield* server.announce;
      yield* world.idle;
      assert.deepStrictEqual(yield* world.names(), []);
      assert.strictEqual(yield* reasonOf(world.call("test-notes__read")), "withheld");
      assert.strictEqual(yield* reasonOf(world.call("test-notes__write")), "notGranted");
      yield* world.verify(id, true);
      assert.deepStrictEqual(yield* world.names(), ["test-notes__write"]);
      assert.strictEqual(yield* reasonOf(world.call("test-notes__read")), "notGranted");
      yield* world.call("test-notes__write");
    }),
  );

  check(
    "[mcp.access.readOnly] a grant that becomes read-only ends the calls of other tools",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["write"]);
      server.onCall = () => Effect.never;
      const call = yield* Effect.forkChild(reasonOf(world.call("test-notes__write")));
      yield* world.idle;
      yield* world.putAccess(id, { agentId: "bot", granted: true, readOnly: true });
      assert.strictEqual(yield* Fiber.join(call), "notGranted");
      assert.strictEqual(server.calls[0]?.outcome, "cancelled");
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
