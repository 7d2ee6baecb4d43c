import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { McpConnector } from "@quartermaster/core";
import { Effect } from "effect";
import * as Fixture from "./support/Fixture.ts";
import * as World from "./support/World.ts";

const require = createRequire(import.meta.url);

/** The program of a server among the development dependencies. */
const programOf = (name: string): string => {
  const file = require.resolve(`${name}/package.json`);
  const { bin } = JSON.parse(readFileSync(file, "utf8"));
  return join(dirname(file), ...(Object.values(bin) as Array<string>).slice(0, 1));
};

const connect = (
  dataDir: string,
  name: string,
  args: ReadonlyArray<string> = [],
  env: Readonly<Record<string, string>> = {},
) =>
  Effect.flatMap(McpConnector.McpConnector, (connector) =>
    connector.connect(Fixture.target(dataDir, [programOf(name), ...args], env), {
      timeoutMillis: 15_000,
    }),
  );

const text = (result: McpConnector.ToolResult) => String(result.content[0]?.["text"]);

describe("server-everything", () => {
  it.live(
    "[connector.real.everything] the everything server lists its tools, is called, and reports progress",
    () =>
      World.withConnector((dataDir) =>
        Effect.gen(function* () {
          const connection = yield* connect(dataDir, "@modelcontextprotocol/server-everything");
          const names = Fixture.namesOf(yield* connection.listTools);
          assert.includeMembers(names, ["echo", "get-env", "trigger-long-running-operation"]);
          const options = { timeoutMillis: 10_000 };
          const echo = yield* connection.callTool("echo", { message: "hello" }, options);
          assert.strictEqual(text(echo), "Echo: hello");
          const told: Array<number> = [];
          yield* connection.callTool(
            "trigger-long-running-operation",
            { duration: 3, steps: 6 },
            {
              timeoutMillis: 2_500,
              onProgress: ({ progress }) => Effect.sync(() => void told.push(progress)),
            },
          );
          assert.deepStrictEqual(told, [1, 2, 3, 4, 5, 6]);
        }),
      ),
  );

  it.live(
    "[connector.real.canary] the everything server sees no variable of the service's environment",
    () =>
      World.withConnector((dataDir) =>
        Effect.gen(function* () {
          process.env["QM_SECRET_KEY"] = "the canary sings";
          const connection = yield* connect(dataDir, "@modelcontextprotocol/server-everything");
          const result = yield* connection.callTool("get-env", {}, { timeoutMillis: 10_000 });
          assert.notInclude(text(result), "canary");
          assert.notInclude(text(result), "QM_");
          assert.include(text(result), dataDir);
        }).pipe(Effect.ensuring(Effect.sync(() => delete process.env["QM_SECRET_KEY"]))),
      ),
  );
});

describe("server-filesystem", () => {
  it.live("[connector.real.filesystem] the filesystem server reads a file in its folder", () =>
    World.withConnector((dataDir) =>
      Effect.gen(function* () {
        const folder = join(dataDir, "given");
        mkdirSync(folder);
        writeFileSync(join(folder, "note.txt"), "remember the milk");
        const connection = yield* connect(dataDir, "@modelcontextprotocol/server-filesystem", [
          folder,
        ]);
        assert.isAbove((yield* connection.listTools).length, 5);
        const path = join(folder, "note.txt");
        const result = yield* connection.callTool(
          "read_text_file",
          { path },
          { timeoutMillis: 10_000 },
        );
        assert.strictEqual(text(result), "remember the milk");
      }),
    ),
  );
});

describe("server-memory", () => {
  it.live("[connector.real.memory] the memory server stores its data in its own folder", () =>
    World.withConnector((dataDir) =>
      Effect.gen(function* () {
        const file = join(dataDir, "memory.jsonl");
        const open = connect(dataDir, "@modelcontextprotocol/server-memory", [], {
          MEMORY_FILE_PATH: file,
        });
        const entities = [{ name: "Ada", entityType: "person", observations: ["counts"] }];
        yield* Effect.scoped(
          Effect.flatMap(open, (connection) =>
            connection.callTool("create_entities", { entities }, { timeoutMillis: 10_000 }),
          ),
        );
        const connection = yield* open;
        const graph = yield* connection.callTool("read_graph", {}, { timeoutMillis: 10_000 });
        assert.include(text(graph), "Ada");
      }),
    ),
  );
});
