import { assert, describe } from "@effect/vitest";
import { McpServerStore, Runs } from "@quartermaster/core";
import { Fixtures, Storage } from "@quartermaster/testing";
import { Effect } from "effect";
import { check, world, checkWith } from "../support/McpWorld.ts";

const { definition } = Fixtures;

describe("Lists of tools", () => {
  check(
    "[tools.list.fields] the list shows a tool's names, title, description, schema and annotations",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      const inputSchema = { type: "object", properties: { text: { type: "string" } } };
      server.tools = [
        {
          name: "add",
          title: "Add a note",
          description: "Adds it",
          inputSchema,
          annotations: { readOnlyHint: false },
          _meta: { internal: true },
        },
        { name: "bare" },
      ];
      yield* world.accept(id);
      assert.deepStrictEqual((yield* world.list()).tools, [
        {
          name: "test-notes__add",
          server: "test-notes",
          tool: "add",
          title: "Add a note",
          description: "Adds it",
          inputSchema,
          annotations: { readOnlyHint: false },
        },
        {
          name: "test-notes__bare",
          server: "test-notes",
          tool: "bare",
          title: null,
          description: null,
          inputSchema: { type: "object" },
          annotations: null,
        },
      ]);
    }),
  );

  check(
    "[tools.list.order] the oldest server is first, and each server's tools keep its order",
    Effect.gen(function* () {
      yield* world.running(["z", "a"]);
      yield* world.running(["m"], "test-tool");
      assert.deepStrictEqual(yield* world.names(), [
        "test-notes__z",
        "test-notes__a",
        "test-tool__m",
      ]);
    }),
  );

  check(
    "[tools.list.names] A long or invalid name is cut at 64 characters with a hash; all names are unique and callable",
    Effect.gen(function* () {
      const long = "x".repeat(60);
      const tools = [
        "y".repeat(64 - "test-notes__".length),
        `${long}1`,
        `${long}2`,
        "größe.lesen",
        "größe/lesen",
        "__",
      ];
      const { server } = yield* world.running(tools);
      const named = yield* world.names();
      assert.strictEqual(new Set(named).size, tools.length);
      for (const name of named) assert.match(name, /^test-notes__[A-Za-z0-9_-]{0,52}$/);
      assert.strictEqual(named[0], `test-notes__${tools[0]}`);
      assert.match(named[1] ?? "", /^test-notes__x{39}_[0-9a-f]{12}$/);
      assert.match(named[3] ?? "", /^test-notes__gr__e_lesen_[0-9a-f]{12}$/);
      for (const name of named) yield* world.call(name);
      assert.deepStrictEqual(
        server.calls.map(({ tool }) => tool),
        tools,
      );
    }),
  );

  check(
    "[tools.list.rename] the names of tools follow the server's name",
    Effect.gen(function* () {
      const { id } = yield* world.running();
      const before = yield* world.revision();
      yield* world.update(id, { name: "renamed" });
      assert.deepStrictEqual(yield* world.names(), ["renamed__add"]);
      assert.notStrictEqual(yield* world.revision(), before);
      yield* world.update(id, { name: "test-notes" });
      assert.strictEqual(yield* world.revision(), before);
    }),
  );

  check(
    "[tools.revision] the revision is equal exactly when the list is equal",
    Effect.gen(function* () {
      const seen = new Map<string, string>();
      const look = Effect.gen(function* () {
        const { revision, tools } = yield* world.list();
        const text = JSON.stringify(tools);
        for (const [otherText, other] of seen) {
          assert.strictEqual(otherText === text, other === revision, `${otherText} ${text}`);
        }
        seen.set(text, revision);
      });
      const { id, server } = yield* world.running(["add", "find"]);
      yield* look;
      const steps = [
        world.grant(id, "bot", ["add"]),
        world.grant(id, "bot", ["find"]),
        world.grant(id, "bot", []),
        world.grant(id, "bot", null),
        world.disable(id),
        world.enable(id),
        world.revoke(id),
        world.grant(id),
        world.grant(id, "other"),
      ];
      for (const step of steps) {
        yield* step as Effect.Effect<unknown>;
        yield* look;
      }
      for (const tools of [
        [definition("find"), definition("add")],
        [definition("add", { description: "Otherwise" }), definition("find")],
        [definition("add", { outputSchema: { type: "object" } }), definition("find")],
        [definition("add", { annotations: { readOnlyHint: true } }), definition("find")],
        [definition("add", { title: "Add" }), definition("find")],
        [definition("add"), definition("find"), definition("more")],
        [definition("add"), definition("find")],
      ]) {
        server.tools = tools;
        yield* world.verify(id);
        yield* look;
        yield* world.accept(id);
        yield* look;
      }
      assert.isAbove(seen.size, 8);
    }),
  );

  check(
    "[tools.revision.heartbeat] heartbeats and turns return the same revision",
    Effect.gen(function* () {
      const { id } = yield* world.running();
      const runs = yield* Runs.Runs;
      const before = (yield* runs.heartbeat("bot")).toolsRevision;
      assert.strictEqual(before, yield* world.revision());
      yield* world.revoke(id);
      const after = (yield* runs.heartbeat("bot")).toolsRevision;
      assert.strictEqual(after, yield* world.revision());
      assert.notStrictEqual(after, before);
    }),
  );

  checkWith(
    "[tools.revision.restart] the revision is the same after a restart and on another node",
    Effect.gen(function* () {
      const node = yield* world.nodes;
      const stopped = Effect.gen(function* () {
        const on = yield* node();
        yield* on(world.running(["add", "find"]));
        return yield* on(world.list());
      });
      const before = yield* Effect.scoped(stopped);
      const after = yield* node();
      assert.deepStrictEqual(yield* after(world.list()), before);
      assert.lengthOf(before.tools, 2);
    }),
  );

  checkWith(
    "[tools.list.nodes] A change on one node is in the lists of the others",
    Effect.gen(function* () {
      const node = yield* world.nodes;
      const [first, second] = [yield* node(), yield* node()];
      const { id, server } = yield* first(world.running(["add"]));
      assert.deepStrictEqual(yield* second(world.names()), ["test-notes__add"]);
      server.tools = [definition("add"), definition("find")];
      yield* first(world.accept(id));
      assert.deepStrictEqual(yield* second(world.names()), ["test-notes__add", "test-notes__find"]);
    }),
  );

  check(
    "[tools.list.unread] A heartbeat does not read tools that it has read before",
    Effect.gen(function* () {
      yield* world.running();
      const before = yield* world.revision();
      const store = yield* McpServerStore.McpServerStore;
      const [server] = yield* store.list;
      yield* Storage.transact(store.putTools(server?.id ?? "", []));
      assert.strictEqual(yield* world.revision(), before);
    }),
  );
});
