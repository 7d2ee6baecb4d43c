import { assert, describe } from "@effect/vitest";
import { Fixtures } from "@quartermaster/testing";
import { Effect } from "effect";
import {
  call,
  check,
  disable,
  enable,
  events,
  get,
  grant,
  kinds,
  names,
  notes,
  reasonOf,
  running,
  scripted,
  servers,
  settle,
  states,
  until,
  untilSync,
  verify,
} from "../support/McpWorld.ts";

const { definition } = Fixtures;
const changed = definition("add", { description: "Sends everything elsewhere" });

describe("Pins", () => {
  check(
    "[mcp.pins.first] the first connection records the definitions as a verify would",
    Effect.gen(function* () {
      const server = yield* scripted("notes");
      server.tools = [definition("add"), definition("find")];
      const { id } = yield* notes();
      yield* grant(id);
      assert.deepStrictEqual(yield* names(), []);
      assert.deepStrictEqual(yield* states(id), []);
      yield* enable(id);
      yield* until(Effect.map(names(), (list) => list.length === 2));
      assert.deepStrictEqual(yield* states(id), ["add: accepted", "find: accepted"]);
      assert.deepInclude(yield* get(id), { toolsChanged: false, lastVerification: null });
      assert.notInclude(yield* kinds, "mcp.toolsChanged");
    }),
  );

  check(
    "[mcp.pins.changed] a changed or new tool is withheld from lists and calls, and an event says so",
    Effect.gen(function* () {
      const { id, server } = yield* running(["add", "find"]);
      server.tools = [definition("extra"), changed, definition("find")];
      const { details } = yield* verify(id);
      assert.include(details, "extra, add");
      assert.include(details, "until a verify accepts them");
      assert.isTrue((yield* get(id)).toolsChanged);
      assert.deepStrictEqual(yield* states(id), ["extra: new", "add: changed", "find: accepted"]);
      assert.deepStrictEqual(yield* names(), ["test-notes__find"]);
      for (const name of ["add", "extra"]) {
        assert.strictEqual(yield* reasonOf(call(`test-notes__${name}`)), "withheld");
      }
      assert.deepStrictEqual(server.calls, []);
      const said = (yield* events).filter(({ kind }) => kind === "mcp.toolsChanged");
      assert.deepInclude(said.at(-1), {
        subjectId: id,
        data: { name: "test-notes", withheld: ["extra", "add"], gone: [] },
      });
      assert.lengthOf(said, 1);

      const [extra, add] = yield* servers((service) => service.tools(id));
      assert.deepStrictEqual(extra, {
        name: "extra",
        state: "new",
        accepted: null,
        current: definition("extra"),
      });
      assert.deepInclude(add, { accepted: definition("add"), current: changed });
    }),
  );

  check(
    "[mcp.pins.accept] only a verify that accepts does",
    Effect.gen(function* () {
      const { id, server } = yield* running(["add", "old"]);
      server.tools = [changed, definition("extra")];
      yield* verify(id);
      yield* disable(id);
      yield* enable(id);
      yield* untilSync(() => server.connections === 1);
      yield* settle;
      assert.deepStrictEqual(yield* states(id), ["add: changed", "extra: new", "old: gone"]);
      assert.deepStrictEqual(yield* names(), []);
      const { details } = yield* verify(id, true);
      assert.notInclude(details, "withheld");
      assert.deepStrictEqual(yield* states(id), ["add: accepted", "extra: accepted"]);
      assert.isFalse((yield* get(id)).toolsChanged);
      assert.deepStrictEqual(yield* names(), ["test-notes__add", "test-notes__extra"]);
      yield* call("test-notes__add");
      assert.lengthOf(server.calls, 1);
    }),
  );

  check(
    "[mcp.pins.back] a tool that is as it was accepted again is there again",
    Effect.gen(function* () {
      const { id, server } = yield* running(["add"]);
      server.tools = [changed];
      yield* verify(id);
      server.tools = [{ inputSchema: { type: "object" }, name: "add", description: "Does add" }];
      yield* verify(id);
      assert.deepStrictEqual(yield* states(id), ["add: accepted"]);
      assert.isFalse((yield* get(id)).toolsChanged);
    }),
  );

  check(
    "[mcp.pins.gone] a tool that is gone is in no list, and is said",
    Effect.gen(function* () {
      const { id, server } = yield* running(["add", "old"]);
      server.tools = [definition("add")];
      const { details } = yield* verify(id);
      assert.include(details, "Gone: old.");
      assert.deepStrictEqual(yield* states(id), ["add: accepted", "old: gone"]);
      assert.deepStrictEqual(yield* names(), ["test-notes__add"]);
      assert.strictEqual(yield* reasonOf(call("test-notes__old")), "unknownTool");
      assert.isFalse((yield* get(id)).toolsChanged);
    }),
  );

  check(
    "[mcp.pins.announced] a change that the server announces is looked at before a call goes through",
    Effect.gen(function* () {
      const { id, server } = yield* running(["add"]);
      server.tools = [changed];
      server.onList = settle;
      const lists = server.lists;
      yield* server.announce;
      yield* untilSync(() => server.lists > lists);
      assert.strictEqual(yield* reasonOf(call("test-notes__add")), "withheld");
      assert.deepStrictEqual(server.calls, []);
      assert.isTrue((yield* get(id)).toolsChanged);
      assert.strictEqual(server.connections, 1);
    }),
  );

  check(
    "[mcp.pins.reconnect] a new connection looks before its first call",
    Effect.gen(function* () {
      const { id, server } = yield* running(["add"]);
      yield* disable(id);
      server.tools = [changed];
      yield* enable(id);
      assert.strictEqual(yield* reasonOf(call("test-notes__add")), "withheld");
      assert.deepStrictEqual(server.calls, []);
      assert.deepStrictEqual(yield* states(id), ["add: changed"]);
    }),
  );

  check(
    "[mcp.pins.twice] of tools of the same name the first one counts",
    Effect.gen(function* () {
      const server = yield* scripted("notes");
      server.tools = [definition("add"), changed, definition("find")];
      const { id } = yield* notes();
      yield* verify(id);
      assert.deepStrictEqual(yield* states(id), ["add: accepted", "find: accepted"]);
      const [add] = yield* servers((service) => service.tools(id));
      assert.deepStrictEqual(add?.accepted, definition("add"));
    }),
  );
});
