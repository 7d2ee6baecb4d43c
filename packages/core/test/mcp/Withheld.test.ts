import { assert, describe } from "@effect/vitest";
import { McpServerStore, Tool, Transactor } from "@quartermaster/core";
import { Fixtures } from "@quartermaster/testing";
import { Effect, Option } from "effect";
import { check, reasonOf, world } from "../support/McpWorld.ts";

const { definition } = Fixtures;
const bad = definition("bad", { annotations: "yes" });

describe("a definition that clients cannot read", () => {
  check(
    "[mcp.definitions.alone] is the only one withheld, with its reason, and an event reports it",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      server.tools = [definition("add"), bad, 5, definition("find", { title: null })];
      const { id } = yield* world.notes();
      const { capabilities, details } = yield* world.verify(id);
      assert.deepStrictEqual(capabilities, ["add", "find"]);
      assert.include(
        details,
        "with 2 tools. Withheld, because clients could not read them: bad (annotations: Expected an object), a tool without a name (It is not an object).",
      );
      assert.deepStrictEqual(yield* world.states(id), [
        "add: accepted",
        "bad: invalid",
        ": invalid",
        "find: accepted",
      ]);
      const [, listed, nameless, find] = yield* world.servers((service) => service.tools(id));
      assert.deepStrictEqual(listed, {
        name: "bad",
        kind: "tool",
        state: "invalid",
        reason: "annotations: Expected an object.",
        digest: listed?.digest ?? null,
        tokens: Tool.tokensOf(bad),
        once: false,
        accepted: null,
        current: bad,
      });
      assert.deepInclude(nameless, { accepted: null, current: null });
      assert.deepStrictEqual(find?.accepted, definition("find"));
      const event = (yield* world.events).find(({ kind }) => kind === "mcp.toolsChanged");
      assert.deepInclude(event?.data, { withheld: [], invalid: ["bad", ""] });
      yield* world.enable(id);
      yield* world.grant(id);
      assert.deepStrictEqual(yield* world.names(), ["test-notes__add", "test-notes__find"]);
      assert.strictEqual(yield* reasonOf(world.call("test-notes__bad")), "withheld");
      assert.isFalse((yield* world.get(id)).toolsChanged);
    }),
  );

  check(
    "[mcp.definitions.alone] is no longer withheld once it is as it was accepted",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["add", "find"]);
      server.tools = [definition("add", { description: "x".repeat(70_000) }), definition("find")];
      yield* world.verify(id);
      assert.deepStrictEqual(yield* world.states(id), ["add: invalid", "find: accepted"]);
      assert.strictEqual(yield* reasonOf(world.call("test-notes__add")), "withheld");
      yield* world.verify(id, true);
      assert.deepStrictEqual(yield* world.states(id), ["add: invalid", "find: accepted"]);
      server.tools = [definition("add"), definition("find")];
      yield* world.verify(id);
      assert.deepStrictEqual(yield* world.states(id), ["add: accepted", "find: accepted"]);
    }),
  );

  check(
    "[mcp.definitions.alone] of a list that is too long, the first tools are used",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      server.tools = Array.from({ length: 2_001 }, (_, n) => definition(`tool_${n}`));
      const { id } = yield* world.notes();
      const { capabilities, details } = yield* world.verify(id);
      assert.lengthOf(capabilities ?? [], 2_000);
      assert.include(details, "It lists 2001 tools or more. Only the first 2000 are used");
    }),
  );
});

check(
  "[mcp.definitions.upgrade] what earlier versions stored is judged by its repaired form, and nothing has changed",
  Effect.gen(function* () {
    const { id, server } = yield* world.running(["add", "find", "old"]);
    const raw = definition("add", { title: null, inputSchema: {}, outputSchema: null });
    const store = yield* McpServerStore.McpServerStore;
    const transactor = yield* Transactor.Transactor;
    const row = (name: string, position: number, sent: typeof raw) =>
      Fixtures.toolRow(name, position, { accepted: sent, current: sent });
    const stored = Option.getOrThrow(yield* store.get(id));
    const rows = [
      row("add", 0, raw),
      row("find", 1, definition("find")),
      row("old", 2, definition("old", { annotations: 5 })),
    ];
    yield* transactor.transact(
      Effect.andThen(
        store.putTools(id, rows),
        store.update({ ...stored, toolsVersion: stored.toolsVersion + 1 }),
      ),
    );
    const before = (yield* world.events).length;
    server.tools = [raw, definition("find"), definition("old", { annotations: 5 })];
    const { details } = yield* world.verify(id);
    assert.notInclude(details, "Changed");
    assert.deepStrictEqual(yield* world.states(id), [
      "add: accepted",
      "find: accepted",
      "old: invalid",
    ]);
    const [add] = yield* world.servers((service) => service.tools(id));
    assert.deepStrictEqual(add?.accepted, definition("add"));
    const kinds = (yield* world.events).slice(before).map(({ kind }) => kind);
    assert.deepStrictEqual(kinds, ["mcp.preparing", "mcp.prepared", "mcp.verified"]);
    assert.isFalse((yield* world.get(id)).toolsChanged);
  }),
);
