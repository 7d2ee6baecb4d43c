import { assert, describe, it } from "@effect/vitest";
import { Effect, Stream } from "effect";
import * as Fixture from "./support/Fixture.ts";
import * as World from "./support/World.ts";

const options = { timeoutMillis: 10_000 };

const urisOf = (listed: ReadonlyArray<unknown>) =>
  listed.map((item) => (item as { readonly uri: string }).uri);

describe("resources of a server", () => {
  it.live("[connector.resources] a connection lists and reads resources, of all pages", () =>
    World.withConnector((dataDir) =>
      Effect.gen(function* () {
        const connection = yield* Fixture.connect(dataDir, "resources");
        assert.deepStrictEqual(connection.greeting, { hasResources: true, instructions: null });
        assert.deepStrictEqual(urisOf(yield* connection.listResources("resources")), [
          "file:///0/0",
          "file:///1/0",
          "file:///2/0",
        ]);
        // The server does not know the method.
        assert.deepStrictEqual(yield* connection.listResources("resourceTemplates"), []);
        assert.deepStrictEqual(yield* connection.readResource("file:///a", options), {
          contents: [{ uri: "file:///a", text: "text of file:///a", "x-note": 1 }],
        });
        // The SDK reads -32002 of legacy protocol versions as -32602.
        const error = yield* Effect.flip(connection.readResource("file:///none", options));
        assert.deepInclude(error, {
          _tag: "RpcError",
          code: -32_602,
          data: { uri: "file:///none" },
        });
        yield* Stream.runHead(connection.resourcesChanged);
      }),
    ),
  );

  it.live("[connector.resources.none] a server without resources is not asked for them", () =>
    World.withConnector((dataDir) =>
      Effect.gen(function* () {
        const connection = yield* Fixture.connect(dataDir);
        assert.deepStrictEqual(connection.greeting, { hasResources: false, instructions: null });
        assert.deepStrictEqual(yield* connection.listResources("resources"), []);
        assert.notInclude(Fixture.notes(dataDir), "resources/list");
      }),
    ),
  );

  it.live("[connector.resources.endless] an endless list of resources is cut off", () =>
    World.withConnector((dataDir) =>
      Effect.gen(function* () {
        const connection = yield* Fixture.connect(dataDir, "resources", "endless");
        assert.lengthOf(yield* connection.listResources("resources"), 2_100);
      }),
    ),
  );

  it.live(
    "[connector.resources.modern] resources and changes of a server with protocol version 2026-07-28 are read",
    () =>
      World.withConnector((dataDir) =>
        Effect.gen(function* () {
          const connection = yield* Fixture.connect(dataDir, "modern", "resources");
          assert.deepStrictEqual(connection.greeting, { hasResources: true, instructions: null });
          const { contents } = (yield* connection.readResource("file:///a", options)) as {
            readonly contents: ReadonlyArray<unknown>;
          };
          assert.deepStrictEqual(contents, [
            { uri: "file:///a", text: "text of file:///a", "x-note": 1 },
          ]);
          yield* Stream.runHead(connection.resourcesChanged);
          assert.include(Fixture.notes(dataDir), "listens resourcesListChanged,toolsListChanged");
        }),
      ),
  );
});
