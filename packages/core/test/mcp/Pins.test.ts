import { assert, describe } from "@effect/vitest";
import { Fixtures } from "@quartermaster/testing";
import { Effect, Fiber } from "effect";
import { TestClock } from "effect/testing";
import { check, reasonOf, world } from "../support/McpWorld.ts";

const { definition } = Fixtures;
const changed = definition("add", { description: "Sends everything elsewhere" });

describe("Pins", () => {
  check(
    "[mcp.pins.first] the first connection records the definitions as a verify does",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      server.tools = [definition("add"), definition("find")];
      const { id } = yield* world.notes();
      yield* world.grant(id);
      assert.deepStrictEqual(yield* world.names(), []);
      assert.deepStrictEqual(yield* world.states(id), []);
      yield* world.enable(id);
      yield* world.idle;
      assert.isTrue(yield* Effect.map(world.names(), (list) => list.length === 2));
      assert.deepStrictEqual(yield* world.states(id), ["add: accepted", "find: accepted"]);
      assert.deepInclude(yield* world.get(id), { toolsChanged: false, lastVerification: null });
      assert.notInclude(yield* world.kinds, "mcp.toolsChanged");
    }),
  );

  check(
    "[mcp.pins.changed] A changed or new tool is withheld from lists and calls, and an event says so",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["add", "find"]);
      server.tools = [definition("extra"), changed, definition("find")];
      const { details } = yield* world.verify(id);
      assert.include(details, "extra, add");
      assert.include(details, "until a person accepts them");
      assert.isTrue((yield* world.get(id)).toolsChanged);
      assert.deepStrictEqual(yield* world.states(id), [
        "extra: new",
        "add: changed",
        "find: accepted",
      ]);
      assert.deepStrictEqual(yield* world.names(), ["test-notes__find"]);
      for (const name of ["add", "extra"]) {
        assert.strictEqual(yield* reasonOf(world.call(`test-notes__${name}`)), "withheld");
      }
      assert.deepStrictEqual(server.calls, []);
      const said = (yield* world.events).filter(({ kind }) => kind === "mcp.toolsChanged");
      assert.deepInclude(said.at(-1), {
        subjectId: id,
        data: { name: "test-notes", withheld: ["extra", "add"], gone: [], invalid: [] },
      });
      assert.lengthOf(said, 1);

      const [extra, add] = yield* world.servers((service) => service.tools(id));
      assert.deepStrictEqual(extra, {
        name: "extra",
        kind: "tool",
        state: "new",
        reason: null,
        digest: extra?.digest ?? null,
        tokens: 19,
        once: false,
        accepted: null,
        current: definition("extra"),
      });
      assert.deepInclude(add, { accepted: definition("add"), current: changed });
    }),
  );

  check(
    "[mcp.pins.accept] only a verify with accept accepts a tool",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["add", "old"]);
      server.tools = [changed, definition("extra")];
      yield* world.verify(id);
      yield* world.disable(id);
      yield* world.enable(id);
      yield* world.idle;
      assert.strictEqual(server.connections, 1);
      yield* world.idle;
      assert.deepStrictEqual(yield* world.states(id), ["add: changed", "extra: new", "old: gone"]);
      assert.deepStrictEqual(yield* world.names(), []);
      const { details } = yield* world.verify(id, true);
      assert.notInclude(details, "withheld");
      assert.deepStrictEqual(yield* world.states(id), ["add: accepted", "extra: accepted"]);
      assert.isFalse((yield* world.get(id)).toolsChanged);
      assert.deepStrictEqual(yield* world.names(), ["test-notes__add", "test-notes__extra"]);
      yield* world.call("test-notes__add");
      assert.lengthOf(server.calls, 1);
    }),
  );

  check(
    "[mcp.pins.back] A tool that matches its accepted definition again is available again",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["add"]);
      server.tools = [changed];
      yield* world.verify(id);
      server.tools = [{ inputSchema: { type: "object" }, name: "add", description: "Does add" }];
      yield* world.verify(id);
      assert.deepStrictEqual(yield* world.states(id), ["add: accepted"]);
      assert.isFalse((yield* world.get(id)).toolsChanged);
    }),
  );

  check(
    "[mcp.pins.gone] A tool that is gone is in no agent's list and has the state gone",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["add", "old"]);
      server.tools = [definition("add")];
      const { details } = yield* world.verify(id);
      assert.include(details, "No longer listed: old.");
      assert.deepStrictEqual(yield* world.states(id), ["add: accepted", "old: gone"]);
      assert.deepStrictEqual(yield* world.names(), ["test-notes__add"]);
      assert.strictEqual(yield* reasonOf(world.call("test-notes__old")), "unknownTool");
      assert.isFalse((yield* world.get(id)).toolsChanged);
    }),
  );

  check(
    "[mcp.pins.announced] the service reads a change that the server announces before a call goes through",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["add"]);
      server.tools = [changed];
      server.onList = world.idle;
      const lists = server.lists;
      yield* server.announce;
      yield* world.idle;
      assert.isAbove(server.lists, lists);
      assert.strictEqual(yield* reasonOf(world.call("test-notes__add")), "withheld");
      assert.deepStrictEqual(server.calls, []);
      assert.isTrue((yield* world.get(id)).toolsChanged);
      assert.strictEqual(server.connections, 1);
    }),
  );

  check(
    "[mcp.pins.flood] a server that announces changes without end is listed a few times a second, and its calls wait",
    Effect.gen(function* () {
      const { server } = yield* world.running(["add"]);
      const lists = server.lists;
      const flood = Effect.andThen(server.announce, world.idle);
      yield* Effect.repeat(flood, { times: 99 });
      assert.isAtMost(server.lists - lists, 30);
      server.tools = [changed];
      yield* server.announce;
      const call = yield* Effect.forkChild(reasonOf(world.call("test-notes__add")));
      yield* world.idle;
      assert.deepStrictEqual(server.calls, []);
      yield* TestClock.adjust("1 second");
      assert.strictEqual(yield* Fiber.join(call), "withheld");
    }),
  );

  check(
    "[mcp.pins.reconnect] A new connection compares the definitions before its first call",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["add"]);
      yield* world.disable(id);
      server.tools = [changed];
      yield* world.enable(id);
      assert.strictEqual(yield* reasonOf(world.call("test-notes__add")), "withheld");
      assert.deepStrictEqual(server.calls, []);
      assert.deepStrictEqual(yield* world.states(id), ["add: changed"]);
    }),
  );

  check(
    "[mcp.pins.twice] of several tools with one name the first one counts",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      server.tools = [definition("add"), changed, definition("find")];
      const { id } = yield* world.notes();
      yield* world.verify(id);
      assert.deepStrictEqual(yield* world.states(id), ["add: accepted", "find: accepted"]);
      const [add] = yield* world.servers((service) => service.tools(id));
      assert.deepStrictEqual(add?.accepted, definition("add"));
    }),
  );
});
