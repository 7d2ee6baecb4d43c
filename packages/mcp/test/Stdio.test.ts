import { readdirSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { Definition, McpConnector } from "@quartermaster/core";
import { Effect, Fiber, Stream } from "effect";
import * as Fixture from "./support/Fixture.ts";
import * as World from "./support/World.ts";

const { connect } = Fixture;
const { withConnector } = World;

/** The error of a failed connect. Asserts that it left no process. */
const failure = (behaviour: string, argument = "", options: Fixture.Options = {}) =>
  withConnector((dataDir) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        Effect.scoped(connect(dataDir, behaviour, argument, options)),
      );
      for (const pid of Fixture.pids(dataDir)) assert.isFalse(Fixture.isAlive(pid));
      return error;
    }),
  );

describe("a server that starts", () => {
  it.live(
    "[connector.stdio.list] a list has every property of the tools, in the server's order",
    () =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          const connection = yield* connect(dataDir);
          assert.isAtLeast(connection.connectMillis, 0);
          assert.deepStrictEqual(yield* connection.listTools, [
            {
              name: "echo",
              inputSchema: { type: "object" },
              description: "Says it again.",
              "x-vendor": { kept: true },
              outputSchema: {
                type: "object",
                properties: { a: { type: "number" } },
                required: ["a"],
              },
            },
            { name: "slow", inputSchema: { type: "object" } },
          ]);
        }),
      ),
  );

  it.live(
    "[connector.stdio.call] a result passes unchanged, with known and unknown kinds of content",
    () =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          const connection = yield* connect(dataDir);
          yield* connection.listTools;
          const result = yield* connection.callTool("echo", { a: [1] }, { timeoutMillis: 5_000 });
          assert.deepStrictEqual(result as unknown, {
            content: [
              { type: "text", text: '{"a":[1]}', "x-note": [1] },
              { type: "novel", deep: { a: null } },
            ],
            structuredContent: { a: "not what the schema says", b: [1, { c: 2 }] },
            _meta: { trace: "t" },
            "x-more": true,
          });
        }),
      ),
  );

  it.live.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"])(
    "[connector.stdio.revisions] a server may speak protocol version %s",
    (revision) =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          const connection = yield* connect(dataDir, "good", revision);
          assert.lengthOf(yield* connection.listTools, 2);
        }),
      ),
  );

  it.live("[connector.stdio.newest] a server may speak only protocol version 2026-07-28", () =>
    withConnector((dataDir) =>
      Effect.gen(function* () {
        const connection = yield* connect(dataDir, "modern");
        assert.lengthOf(yield* connection.listTools, 2);
        const result = yield* connection.callTool("echo", {}, { timeoutMillis: 5_000 });
        assert.deepStrictEqual(result.content, [{ type: "text", text: "2026-07-28", "x-note": 1 }]);
        assert.strictEqual((result as unknown as Record<string, unknown>)["x-more"], 1);
        yield* Stream.runHead(connection.toolsChanged);
      }),
    ),
  );

  it.live("[connector.stdio.noTools] a server may have no tools", () =>
    withConnector((dataDir) =>
      Effect.gen(function* () {
        const connection = yield* connect(dataDir, "no-tools");
        assert.deepStrictEqual(yield* connection.listTools, []);
      }),
    ),
  );

  it.live("[connector.stdio.chatty] a server may write lines that are not messages", () =>
    withConnector((dataDir) =>
      Effect.gen(function* () {
        const connection = yield* connect(dataDir, "chatty");
        assert.lengthOf(yield* connection.listTools, 2);
      }),
    ),
  );

  it.live("[connector.stdio.unknownIds] responses to unknown requests are ignored", () =>
    withConnector((dataDir) =>
      Effect.gen(function* () {
        const connection = yield* connect(dataDir, "unknown-ids");
        const result = yield* connection.callTool("echo", {}, { timeoutMillis: 5_000 });
        assert.strictEqual(result.content[0]?.["text"], "{}");
      }),
    ),
  );

  it.live(
    "[connector.stdio.asksBack] a ping of the server gets a response, and its other requests are refused",
    () =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          const connection = yield* connect(dataDir, "asks-back");
          yield* connection.callTool("echo", {}, { timeoutMillis: 5_000 });
          const wanted = { p: "answered", r: -32_601, s: -32_601, e: -32_601 };
          const last = () => JSON.parse(Fixture.notes(dataDir).at(-1)!.replace("answer ", ""));
          assert.isTrue(
            yield* Fixture.until(dataDir, () => /"e":/.test(Fixture.notes(dataDir).at(-1)!)),
          );
          assert.deepStrictEqual(last(), wanted);
        }),
      ),
  );

  it.live("[connector.stdio.pages] a list has all pages", () =>
    withConnector((dataDir) =>
      Effect.gen(function* () {
        const connection = yield* connect(dataDir, "pages", "three");
        const names = Fixture.namesOf(yield* connection.listTools);
        assert.deepStrictEqual(names, ["tool-0", "tool-1", "tool-2"]);
      }),
    ),
  );

  it.live("[connector.stdio.many] a list ends at the page with the tool after the 2,000th", () =>
    withConnector((dataDir) =>
      Effect.gen(function* () {
        const connection = yield* connect(dataDir, "endless", "150");
        const tools = yield* connection.listTools;
        assert.lengthOf(tools, 2_100);
        assert.deepStrictEqual(Definition.judge(tools).cutAt, 2_100);
      }),
    ),
  );

  it.live("[mcp.definitions.alone] an item that is not a definition arrives with the others", () =>
    withConnector((dataDir) =>
      Effect.gen(function* () {
        const connection = yield* connect(dataDir, "bad-tools");
        const { tools } = Definition.judge(yield* connection.listTools);
        assert.deepStrictEqual(
          tools.map(({ name, problem }) => `${name}: ${problem}`),
          ["echo: null", ": It has no name.", "slow: null"],
        );
      }),
    ),
  );

  it.live(
    "[connector.stdio.listChanged] a change of the tools is notified, even to a later subscriber",
    () =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          const connection = yield* connect(dataDir, "rug-pull");
          const [before] = yield* connection.listTools;
          yield* connection.callTool("echo", {}, { timeoutMillis: 5_000 });
          yield* Stream.runHead(connection.toolsChanged);
          const [after] = yield* connection.listTools;
          assert.propertyVal(before, "description", "Says it again.");
          assert.propertyVal(after, "description", "Also sends it elsewhere.");
        }),
      ),
  );

  it.live(
    "[connector.stdio.environment] a server sees no variable of the service's environment",
    () =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          process.env["QM_CANARY"] = "sings";
          const connection = yield* connect(dataDir, "tells-environment", "", {
            env: { OWN: "its own" },
          });
          const result = yield* connection.callTool("echo", {}, { timeoutMillis: 5_000 });
          const { cwd, env } = JSON.parse(String(result.content[0]?.["text"]));
          const folder = join(dataDir, "servers", "fixture", "shared");
          assert.strictEqual(cwd, folder);
          const expected = new Set([
            "PATH",
            "LANG",
            "LANGUAGE",
            "TZ",
            "TMPDIR",
            "TMP",
            "TEMP",
            "HOME",
            "OWN",
            "MCP_SERVER_PROCESS",
            "FIXTURE_LOG",
          ]);
          const others = Object.keys(env).filter(
            (name) => !expected.has(name) && !name.startsWith("LC_"),
          );
          assert.deepStrictEqual(others, []);
          assert.strictEqual(env.OWN, "its own");
          for (const name of ["HOME", "TMPDIR", "TMP", "TEMP"])
            assert.isTrue(env[name].startsWith(folder));
        }).pipe(Effect.ensuring(Effect.sync(() => delete process.env["QM_CANARY"]))),
      ),
  );
});

describe("a server that does not start", () => {
  it.live(
    "[connector.stdio.exited] an exit is reported with its code and the last lines of stderr",
    () =>
      Effect.gen(function* () {
        const error = yield* failure("exits");
        assert.strictEqual(error.reason, "exited");
        assert.strictEqual(
          error.message,
          "The server exited with code 1. Its last lines on stderr:\nDATABASE_URL is missing",
        );
        assert.strictEqual(
          (yield* failure("exits-0")).message,
          "The server exited with code 0. It wrote nothing to stderr: check its values, and whether this host reaches what it connects to.",
        );
      }),
  );

  it.live("[connector.stdio.spawnFailed] a missing program is reported", () =>
    withConnector((dataDir) =>
      Effect.gen(function* () {
        const connector = yield* McpConnector.McpConnector;
        const missing = { ...Fixture.target(dataDir, []), command: "/no/such/program" };
        const error = yield* Effect.flip(
          connector.connect(missing as never, { timeoutMillis: 5_000 }),
        );
        assert.strictEqual(error.reason, "spawnFailed");
        assert.isFalse(error.sent);
      }),
    ),
  );

  it.live("[connector.stdio.silent] a silent server times out", () =>
    Effect.gen(function* () {
      const error = yield* failure("silent", "", { timeoutMillis: 700 });
      assert.strictEqual(error.reason, "timeout");
      assert.match(
        error.message,
        /^Timed out after 0\.7 s: the server did not respond to `initialize`/,
      );
    }),
  );

  it.live("[connector.stdio.garbage] a program that writes other lines is not an MCP server", () =>
    Effect.gen(function* () {
      const error = yield* failure("garbage", "", { timeoutMillis: 2_000 });
      assert.strictEqual(error.reason, "notMcp");
      assert.match(error.message, /not an MCP answer, but \d+ other lines on stdout/);
    }),
  );

  it.live(
    "[connector.stdio.refused] a server that refuses to initialize is reported with its reason",
    () =>
      Effect.gen(function* () {
        const error = yield* failure("refuses");
        assert.strictEqual(error.reason, "notMcp");
        assert.match(error.message, /^The server rejected `initialize`: no licence \(-32001\)/);
      }),
  );

  it.live.each(["no-result", "odd-version"])(
    "[connector.stdio.notMcp] an invalid response to initialize is reported: %s",
    (behaviour) =>
      Effect.gen(function* () {
        const error = yield* failure(behaviour);
        assert.strictEqual(error.reason, "notMcp");
        assert.match(error.message, /^The server's response is not an MCP answer/);
      }),
  );
});

describe("a list of tools", () => {
  const listFailure = (behaviour: string, argument = "", timeoutMillis = 15_000) =>
    withConnector((dataDir) =>
      Effect.gen(function* () {
        const connection = yield* connect(dataDir, behaviour, argument, { timeoutMillis });
        return yield* Effect.flip(connection.listTools);
      }),
    );

  it.live.each([
    ["pages", "round", "the same cursor came twice"],
    ["pages", "", "more than 200 pages"],
    ["bad-list", "", "its response is not a list of tools"],
    ["refused-list", "", "no list today (-32603)"],
  ] as const)(
    "[connector.stdio.listFailed] an invalid list is refused: %s %s",
    ([behaviour, argument, why]) =>
      Effect.gen(function* () {
        const error = yield* listFailure(behaviour, argument);
        assert.strictEqual(error.reason, "listFailed");
        assert.strictEqual(
          error.message,
          `\`initialize\` answered but \`tools/list\` failed: ${why}.`,
        );
      }),
  );

  it.live(
    "[connector.stdio.listTimeout] the error distinguishes a missing list from a silent server",
    () =>
      Effect.gen(function* () {
        const error = yield* listFailure("no-list", "", 2_000);
        assert.strictEqual(error.reason, "timeout");
        assert.match(error.message, /`initialize` answered but `tools\/list` did not\.$/);
      }),
  );
});

describe("a call", () => {
  it.live("[connector.stdio.rpcError] a call fails with the server's error", () =>
    withConnector((dataDir) =>
      Effect.gen(function* () {
        const connection = yield* connect(dataDir, "rpc-error");
        const error = yield* Effect.flip(connection.callTool("echo", {}, { timeoutMillis: 5_000 }));
        assert(error._tag === "RpcError");
        assert.deepStrictEqual([error.code, error.message], [-32_602, "no such argument"]);
        assert.deepStrictEqual(error.data, { a: 1 });
      }),
    ),
  );

  it.live.each([
    ['"result":"text"', {}],
    ['"result":null', {}],
    ['"result":{"content":[],"_meta":null}', { content: [] }],
    ['"result":{"content":[]},"error":null', { content: [] }],
    ['"method":null,"result":{"content":[]},"error":null', { content: [] }],
    ['"params":null', {}],
  ] as const)(
    "[connector.answered] a response that is not exactly JSON-RPC ends its call: %s",
    ([answer, result]) =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          const connection = yield* connect(dataDir, "answers", answer);
          const called = connection.callTool("echo", {}, { timeoutMillis: 60_000 });
          assert.deepStrictEqual((yield* called) as unknown, result);
        }),
      ),
  );

  it.live("[connector.answered] an error that is not exactly JSON-RPC ends its call", () =>
    withConnector((dataDir) =>
      Effect.gen(function* () {
        const connection = yield* connect(dataDir, "answers", '"error":{"message":"no"}');
        const error = yield* Effect.flip(
          connection.callTool("echo", {}, { timeoutMillis: 60_000 }),
        );
        assert(error._tag === "RpcError");
        assert.deepStrictEqual([error.code, error.message], [-32_603, "no"]);
      }),
    ),
  );

  it.live("[connector.stdio.progress] a call reports progress, which extends its time limit", () =>
    withConnector((dataDir) =>
      Effect.gen(function* () {
        const connection = yield* connect(dataDir);
        const reported: Array<unknown> = [];
        const result = yield* connection.callTool(
          "slow",
          { steps: 8, every: 300 },
          {
            timeoutMillis: 2_000,
            onProgress: (progress) => Effect.sync(() => void reported.push(progress)),
          },
        );
        assert.strictEqual(result.content[0]?.["text"], "done");
        assert.lengthOf(reported, 8);
        assert.deepStrictEqual(reported[7], { progress: 8, total: 8, message: "step 8" });
        // Progress also extends the time limit without a listener.
        yield* connection.callTool("slow", { steps: 8, every: 300 }, { timeoutMillis: 2_000 });
      }),
    ),
  );

  it.live(
    "[connector.stdio.callTimeout] a call that takes too long fails and is cancelled at the server",
    () =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          const connection = yield* connect(dataDir);
          const error = yield* Effect.flip(
            connection.callTool("slow", { forever: true }, { timeoutMillis: 300 }),
          );
          assert(error._tag === "ConnectorError");
          assert.deepStrictEqual(
            [error.reason, error.message, error.sent],
            ["timeout", "Timed out after 0.3 s.", true],
          );
          const cancelled = () =>
            Fixture.notes(dataDir).some((line) => /^cancelled \d+$/.test(line));
          assert.isTrue(yield* Fixture.until(dataDir, cancelled));
          yield* connection.callTool("echo", {}, { timeoutMillis: 5_000 });
        }),
      ),
  );

  it.live("[connector.stdio.cancelled] an interrupted call is cancelled at the server", () =>
    withConnector((dataDir) =>
      Effect.gen(function* () {
        const connection = yield* connect(dataDir);
        const call = yield* Effect.forkChild(
          connection.callTool("slow", { forever: true }, { timeoutMillis: 60_000 }),
        );
        const noted = (line: RegExp) => () =>
          Fixture.notes(dataDir).some((note) => line.test(note));
        assert.isTrue(yield* Fixture.until(dataDir, noted(/^call slow$/)));
        yield* Fiber.interrupt(call);
        assert.isTrue(yield* Fixture.until(dataDir, noted(/^cancelled \d+$/)));
      }),
    ),
  );

  it.live.each([
    [
      "dies-in-call",
      "exited",
      "The server exited with code 3. Its last lines on stderr:\nthe database went away",
    ],
    ["killed-in-call", "exited", "The server was stopped by SIGKILL."],
    ["closes-in-call", "closed", "The server closed its output."],
  ] as const)(
    "[connector.stdio.lost] a call fails immediately when the server stops: %s",
    ([behaviour, reason, message]) =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          const connection = yield* connect(dataDir, behaviour);
          const error = yield* Effect.flip(
            connection.callTool("echo", {}, { timeoutMillis: 60_000 }),
          );
          assert(error._tag === "ConnectorError");
          assert.deepStrictEqual(
            [error.reason, error.message, error.sent],
            [reason, message, true],
          );
          assert.deepStrictEqual(yield* connection.closed, error);
          const later = yield* Effect.flip(
            connection.callTool("echo", {}, { timeoutMillis: 60_000 }),
          );
          assert.strictEqual(later.message, message);
        }),
      ),
  );

  it.live("[connector.stdio.concurrent] concurrent calls get their own responses", () =>
    withConnector((dataDir) =>
      Effect.gen(function* () {
        const connection = yield* connect(dataDir);
        yield* Effect.forEach(
          Array.from({ length: 500 }, (_, n) => n),
          (n) =>
            Effect.map(connection.callTool("echo", { n }, { timeoutMillis: 10_000 }), (result) =>
              assert.strictEqual(result.content[0]?.["text"], `{"n":${n}}`),
            ),
          { concurrency: 100 },
        );
      }),
    ),
  );
});

describe("limits", () => {
  /**
   * The MiB of this thread: strings, objects and buffers. The resident memory of the process would include the tests
   * that run beside this one in other threads.
   */
  const memory = () => {
    const { external, heapUsed } = process.memoryUsage();
    return (heapUsed + external) / 1024 / 1024;
  };

  it.live(
    "[connector.stdio.large] a message may have 30 MiB if its call accepts such a result",
    () =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          const connection = yield* connect(dataDir, "huge-answer", `${30 * 1024 * 1024}`);
          const call = (maxResultBytes?: number) =>
            connection.callTool("echo", {}, { timeoutMillis: 15_000, maxResultBytes });
          for (const maxResultBytes of [undefined, 14 * 1024 * 1024]) {
            const error = yield* Effect.flip(call(maxResultBytes));
            assert(error._tag === "ConnectorError");
            assert.strictEqual(error.reason, "tooLarge");
          }
          const result = yield* call(16 * 1024 * 1024);
          assert.lengthOf((result as unknown as { readonly x: string }).x, 30 * 1024 * 1024);
        }),
      ),
  );

  it.live.each([
    `"jsonrpc":"2.0","id":ID,RESULT`,
    `"id":ID,"jsonrpc":"2.0",RESULT`,
    `"jsonrpc":"2.0",RESULT,"id":ID`,
    `RESULT,"jsonrpc":"2.0","id":ID`,
  ])(
    "[connector.stdio.tooLarge] a response of more than 8 MiB is skipped, and its call fails with its size: %s",
    (order) =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          const connection = yield* connect(dataDir, "huge-answer", `${20 * 1024 * 1024}`);
          const before = memory();
          const other = yield* Effect.forkChild(
            connection.callTool("slow", { steps: 100 }, { timeoutMillis: 60_000 }),
          );
          const error = yield* Effect.flip(
            connection.callTool("echo", { order }, { timeoutMillis: 60_000 }),
          );
          assert(error._tag === "ConnectorError");
          const result = `"result":{"content":[],"x":"${"y".repeat(20 * 1024 * 1024)}"}`;
          const id = 3;
          const bytes = `{${order.replace("ID", `${id}`).replace("RESULT", result)}}`.length;
          assert.deepStrictEqual(
            [error.reason, error.bytes, error.sent],
            ["tooLarge", bytes, true],
          );
          assert.isBelow(memory() - before, 200);
          assert.strictEqual((yield* Fiber.join(other)).content[0]?.["text"], "done");
          yield* connection.callTool("slow", {}, { timeoutMillis: 5_000 });
          assert.lengthOf(Fixture.pids(dataDir), 1);
        }),
      ),
  );

  it.live(
    "[connector.stdio.endlessLine] an endless line is not stored, and its server is stopped once no call waits",
    () =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          const connection = yield* connect(dataDir, "endless-line");
          const before = memory();
          const busy = performance.eventLoopUtilization();
          const error = yield* Effect.flip(
            connection.callTool("echo", {}, { timeoutMillis: 3_000 }),
          );
          assert(error._tag === "ConnectorError");
          assert.strictEqual(error.reason, "timeout");
          assert.isBelow(performance.eventLoopUtilization(busy).utilization, 0.6);
          assert.isBelow(memory() - before, 200);
          const { message, reason } = yield* connection.closed;
          assert.strictEqual(reason, "closed");
          assert.match(message, /without a request/);
        }),
      ),
  );

  const MiB = "x".repeat(1024 * 1024);

  it.live(
    "[connector.stdio.unread] messages to a server that does not read are limited; further ones are refused and not sent",
    () =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          const connection = yield* connect(dataDir, "stops-reading");
          const call = Effect.flip(connection.callTool("echo", { MiB }, { timeoutMillis: 1_000 }));
          yield* Effect.forkChild(call);
          assert.isTrue(
            yield* Fixture.until(dataDir, () => Fixture.notes(dataDir).includes("call echo")),
          );
          const refused = Effect.map(
            Effect.all(
              Array.from({ length: 50 }, () => call),
              { concurrency: "unbounded" },
            ),
            (errors) => errors.filter(({ message }) => !message.startsWith("Timed out")),
          );
          // Some messages are being written and others wait, although their calls have timed out.
          assert.isAtLeast((yield* refused).length, 50 - 17);
          assert.isAtLeast((yield* refused).length, 50 - 17);
          const errors = yield* refused;
          assert.lengthOf(errors, 50);
          for (const error of errors) {
            assert(error._tag === "ConnectorError");
            assert.deepStrictEqual(
              [error.reason, error.message, error.sent],
              ["unreachable", "The server does not read its input.", false],
            );
          }
        }),
      ),
  );

  it.live(
    "[connector.stdio.largeCall] a server that reads gets messages of any size and number",
    () =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          const connection = yield* connect(dataDir);
          const call = (text: string) =>
            connection.callTool("slow", { text }, { timeoutMillis: 30_000 });
          yield* call(MiB.repeat(40));
          for (let sent = 0; sent < 40; sent += 1) yield* call(MiB);
        }),
      ),
  );

  it.live("[connector.stdio.floods] a flood on stderr is drained", () =>
    withConnector((dataDir) =>
      Effect.gen(function* () {
        const before = memory();
        const connection = yield* connect(dataDir, "floods-stderr");
        yield* Effect.forEach(Array.from({ length: 50 }), () =>
          connection.callTool("echo", {}, { timeoutMillis: 10_000 }),
        );
        assert.isBelow(memory() - before, 150);
      }),
    ),
  );

  /** The durations of another server's calls, one after the other, until `until` finishes. */
  const probe = <A>(connection: McpConnector.Connection, until: Effect.Effect<A>) =>
    Effect.gen(function* () {
      const millis: Array<number> = [];
      const measured = Effect.gen(function* () {
        const started = performance.now();
        yield* connection.callTool("echo", {}, { timeoutMillis: 10_000 });
        millis.push(performance.now() - started);
        yield* Effect.sleep("5 millis");
      });
      const result = yield* Effect.raceFirst(until, Effect.orDie(Effect.forever(measured)));
      return { result, median: millis.toSorted((a, b) => a - b)[millis.length >> 1]! };
    });

  it.live.each(["lines", "notifications"])(
    "[connector.stdio.floodsUnasked] a server that floods stdout is slowed down, then stopped: %s",
    (kind) =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          const other = yield* connect(dataDir);
          const { median: calm } = yield* probe(other, Effect.sleep("500 millis"));
          const connection = yield* connect(dataDir, "floods-when-called", kind);
          yield* connection.callTool("echo", {}, { timeoutMillis: 5_000 });
          const before = performance.eventLoopUtilization();
          const { median, result: error } = yield* probe(other, connection.closed);
          const { utilization } = performance.eventLoopUtilization(before);
          assert.deepStrictEqual(
            [error.reason, error.message],
            ["closed", "The server wrote more than 1 MiB per second to stdout without a request."],
          );
          assert.isBelow(median, calm * 5 + 20);
          // Without the limit the flood would take all of this thread's time.
          assert.isBelow(utilization, 0.6);
        }),
      ),
  );

  it.live(
    "[connector.stdio.floodsOut] a flood on stdout before initialize ends with the time limit of the connection",
    () =>
      Effect.gen(function* () {
        const before = memory();
        const error = yield* failure("floods-stdout", "", { timeoutMillis: 1_500 });
        assert.strictEqual(error.reason, "notMcp");
        assert.isBelow(memory() - before, 150);
      }),
  );
});

describe.concurrent("closing a connection", () => {
  const recordsOf = (dataDir: string) => readdirSync(join(dataDir, "processes"));

  it.live(
    "[connector.stdio.end] closing a connection stops the server and removes its record",
    () =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          yield* Effect.scoped(
            Effect.gen(function* () {
              yield* connect(dataDir);
              assert.lengthOf(recordsOf(dataDir), 1);
              assert.isTrue(Fixture.isAlive(Fixture.pids(dataDir)[0]!));
            }),
          );
          assert.isFalse(Fixture.isAlive(Fixture.pids(dataDir)[0]!));
          assert.lengthOf(recordsOf(dataDir), 0);
        }),
      ),
  );

  it.live.each(["ignores-sigterm", "family", "stubborn-family"])(
    "[connector.stdio.group] closing a connection stops the whole process group: %s",
    (behaviour) =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          const families = behaviour === "ignores-sigterm" ? 0 : 1;
          yield* Effect.scoped(
            Effect.gen(function* () {
              yield* connect(dataDir, behaviour);
              const all = () => Fixture.pids(dataDir, "grandchild").length === families;
              assert.isTrue(yield* Fixture.until(dataDir, all));
            }),
          );
          const pids = [...Fixture.pids(dataDir), ...Fixture.pids(dataDir, "grandchild")];
          assert.lengthOf(pids, 1 + families);
          for (const pid of pids) assert.isFalse(Fixture.isAlive(pid));
        }),
      ),
  );

  it.live(
    "[connector.stdio.orphans] closing a connection stops a group whose leader has exited",
    () =>
      withConnector((dataDir) =>
        Effect.gen(function* () {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const connection = yield* connect(dataDir, "family-leader-dies", "1500");
              assert.isTrue(
                yield* Fixture.until(
                  dataDir,
                  () => Fixture.pids(dataDir, "grandchild").length === 1,
                ),
              );
              assert.include((yield* connection.closed).message, "The server exited with code 0.");
              assert.isTrue(Fixture.isAlive(Fixture.pids(dataDir, "grandchild")[0]!));
            }),
          );
          assert.isFalse(Fixture.isAlive(Fixture.pids(dataDir, "grandchild")[0]!));
        }),
      ),
  );

  it.live("[connector.stdio.interrupted] an interrupted connect leaves no process", () =>
    withConnector((dataDir) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.scoped(connect(dataDir, "silent")));
        assert.isTrue(yield* Fixture.until(dataDir, () => Fixture.pids(dataDir).length === 1));
        yield* Fiber.interrupt(fiber);
        assert.isFalse(Fixture.isAlive(Fixture.pids(dataDir)[0]!));
      }),
    ),
  );
});
