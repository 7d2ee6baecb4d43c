import { assert } from "@effect/vitest";
import { McpServerStore } from "@quartermaster/core";
import { Effect } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { type It, texts } from "../../Suite.ts";

const { McpServerStore: Servers } = McpServerStore;

export const tests = (it: It<Storage>): void => {
  it.effect(
    "putTools stores every property of the definitions, and tools returns them by position",
    () =>
      Effect.gen(function* () {
        const servers = yield* Servers;
        const server = yield* Fixtures.server();
        const other = yield* Fixtures.server();
        const schema = {
          type: "object",
          properties: { "": { enum: [null, 0, -1.5, "x", true, { deep: [[]] }] } },
        };
        const rows = [
          Fixtures.toolRow("z", 0, { accepted: null }),
          Fixtures.toolRow("a", 1, { current: null, problem: "It is too large.", blocked: true }),
          Fixtures.toolRow("a", 2, { kind: "prompt", accepted: { name: "a" } }),
          Fixtures.toolRow("m", 3, {
            accepted: Fixtures.definition("m", { inputSchema: schema, _meta: { "x/y": 1 } }),
            current: Fixtures.definition("m", { title: "M", annotations: { readOnlyHint: true } }),
          }),
        ];
        assert.deepStrictEqual(yield* servers.tools(server.id), []);
        yield* transact(servers.putTools(server.id, rows.toReversed()));
        assert.deepStrictEqual(yield* servers.tools(server.id), rows);
        assert.deepStrictEqual(yield* servers.tools(other.id), []);
      }),
  );

  it.effect("putTools replaces all tools of the server, and of no other server", () =>
    Effect.gen(function* () {
      const servers = yield* Servers;
      const server = yield* Fixtures.server();
      const other = yield* Fixtures.server();
      const rows = [Fixtures.toolRow("a", 0), Fixtures.toolRow("b", 1)];
      yield* transact(servers.putTools(server.id, rows));
      yield* transact(servers.putTools(other.id, rows));
      const next = [Fixtures.toolRow("b", 0), Fixtures.toolRow("c", 5)];
      yield* transact(servers.putTools(server.id, next));
      assert.deepStrictEqual(yield* servers.tools(server.id), next);
      yield* transact(servers.putTools(server.id, []));
      assert.deepStrictEqual(yield* servers.tools(server.id), []);
      assert.deepStrictEqual(yield* servers.tools(other.id), rows);
    }),
  );

  it.effect("putTools takes many", () =>
    Effect.gen(function* () {
      const servers = yield* Servers;
      const { id } = yield* Fixtures.server();
      const rows = Array.from({ length: 350 }, (_, n) => Fixtures.toolRow(`tool_${n}`, n));
      yield* transact(servers.putTools(id, rows));
      assert.deepStrictEqual(yield* servers.tools(id), rows);
    }),
  );

  it.effect.each(texts)("keeps name and description %j", (text) =>
    Effect.gen(function* () {
      const servers = yield* Servers;
      const { id } = yield* Fixtures.server();
      const rows = [
        Fixtures.toolRow(text, 0, {
          current: Fixtures.definition(text, { description: text, [text]: text }),
        }),
      ];
      yield* transact(servers.putTools(id, rows));
      assert.deepStrictEqual(yield* servers.tools(id), rows);
    }),
  );
};
