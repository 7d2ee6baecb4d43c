import { assert, describe, it } from "@effect/vitest";
import { McpServerStore, Runs } from "@quartermaster/core";
import { Callers, Fixtures, TestCore, Storage } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import {
  admin,
  call,
  check,
  disable,
  enable,
  grant,
  list,
  names,
  revision,
  revoke,
  running,
  scripted,
  update,
  verify,
} from "../support/McpWorld.ts";
import * as TestStorage from "../support/Storage.ts";

const { definition } = Fixtures;

describe("Lists of tools", () => {
  check(
    "[tools.list.fields] what the list shows of a tool",
    Effect.gen(function* () {
      const { id, server } = yield* running();
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
      yield* verify(id, true);
      assert.deepStrictEqual((yield* list()).tools, [
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
          inputSchema: {},
          annotations: null,
        },
      ]);
    }),
  );

  check(
    "[tools.list.order] oldest server first, each in its own order",
    Effect.gen(function* () {
      yield* running(["z", "a"]);
      yield* running(["m"], "test-tool");
      assert.deepStrictEqual(yield* names(), ["test-notes__z", "test-notes__a", "test-tool__m"]);
    }),
  );

  check(
    "[tools.list.names] longer or other names are cut at 64 and end in a hash; all are unique and callable",
    Effect.gen(function* () {
      const long = "x".repeat(60);
      const tools = [
        "y".repeat(64 - "test-notes__".length),
        `${long}1`,
        `${long}2`,
        "größe.lesen",
        "größe/lesen",
        "",
        "__",
      ];
      const { server } = yield* running(tools);
      const named = yield* names();
      assert.strictEqual(new Set(named).size, tools.length);
      for (const name of named) assert.match(name, /^test-notes__[A-Za-z0-9_-]{0,52}$/);
      assert.strictEqual(named[0], `test-notes__${tools[0]}`);
      assert.match(named[1] ?? "", /^test-notes__x{39}_[0-9a-f]{12}$/);
      assert.match(named[3] ?? "", /^test-notes__gr__e_lesen_[0-9a-f]{12}$/);
      for (const name of named) yield* call(name);
      assert.deepStrictEqual(
        server.calls.map(({ tool }) => tool),
        tools,
      );
    }),
  );

  check(
    "[tools.list.rename] follows the server's name",
    Effect.gen(function* () {
      const { id } = yield* running();
      const before = yield* revision();
      yield* update(id, { name: "renamed" });
      assert.deepStrictEqual(yield* names(), ["renamed__add"]);
      assert.notStrictEqual(yield* revision(), before);
      yield* update(id, { name: "test-notes" });
      assert.strictEqual(yield* revision(), before);
    }),
  );

  check(
    "[tools.revision] is equal exactly when the list is equal",
    Effect.gen(function* () {
      const seen = new Map<string, string>();
      const look = Effect.gen(function* () {
        const { revision, tools } = yield* list();
        const text = JSON.stringify(tools);
        for (const [otherText, other] of seen) {
          assert.strictEqual(otherText === text, other === revision, `${otherText} ${text}`);
        }
        seen.set(text, revision);
      });
      const { id, server } = yield* running(["add", "find"]);
      yield* look;
      const steps = [
        grant(id, "bot", ["add"]),
        grant(id, "bot", ["find"]),
        grant(id, "bot", []),
        grant(id, "bot", null),
        disable(id),
        enable(id),
        revoke(id),
        grant(id),
        grant(id, "other"),
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
        yield* verify(id);
        yield* look;
        yield* verify(id, true);
        yield* look;
      }
      assert.isAbove(seen.size, 8);
    }),
  );

  check(
    "[tools.revision.heartbeat] heartbeats and turns carry the same revision",
    Effect.gen(function* () {
      const { id } = yield* running();
      const runs = yield* Runs.Runs;
      const before = (yield* runs.heartbeat("bot")).toolsRevision;
      assert.strictEqual(before, yield* revision());
      yield* revoke(id);
      const after = (yield* runs.heartbeat("bot")).toolsRevision;
      assert.strictEqual(after, yield* revision());
      assert.notStrictEqual(after, before);
    }),
  );

  it.effect("[tools.revision.restart] is the same after a restart, and on another node", () =>
    Effect.gen(function* () {
      const storage = Layer.succeedContext(yield* Layer.build(TestStorage.storage));
      const node = (seed: number) => TestCore.layerMcpWith({ storage, seed });
      const first = yield* Effect.gen(function* () {
        yield* running(["add", "find"]);
        return yield* list();
      }).pipe(Callers.as(admin), Effect.provide(node(1), { local: true }));
      const again = yield* list().pipe(Callers.as(admin), Effect.provide(node(2), { local: true }));
      assert.deepStrictEqual(again, first);
      assert.lengthOf(first.tools, 2);
    }),
  );

  it.effect("[tools.list.nodes] what one node writes the others list", () =>
    Effect.gen(function* () {
      const storage = Layer.succeedContext(yield* Layer.build(TestStorage.storage));
      const scripts = Layer.succeedContext(yield* Layer.build(TestCore.scripted));
      const build = (seed: number) =>
        Layer.build(Layer.fresh(TestCore.layerMcpWith({ storage, seed, scripted: scripts })));
      const [one, other] = [yield* build(1), yield* build(2)];
      const { id } = yield* running(["add"]).pipe(Callers.as(admin), Effect.provide(one));
      const seen = names().pipe(Callers.as(admin), Effect.provide(other));
      assert.deepStrictEqual(yield* seen, ["test-notes__add"]);
      yield* Effect.gen(function* () {
        (yield* scripted("notes")).tools = [definition("add"), definition("find")];
        yield* verify(id, true);
      }).pipe(Callers.as(admin), Effect.provide(one));
      assert.deepStrictEqual(yield* seen, ["test-notes__add", "test-notes__find"]);
    }),
  );

  check(
    "[tools.list.unread] a heartbeat reads no tools that it has read before",
    Effect.gen(function* () {
      yield* running();
      const before = yield* revision();
      const store = yield* McpServerStore.McpServerStore;
      const [server] = yield* store.list;
      yield* Storage.transact(store.putTools(server?.id ?? "", []));
      assert.strictEqual(yield* revision(), before);
    }),
  );
});
