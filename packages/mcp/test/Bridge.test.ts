import { assert, describe, it } from "@effect/vitest";
import { Deferred, Effect, Redacted, Stream } from "effect";
import { Bridge } from "../src/index.ts";
import * as Http from "./support/HttpFixture.ts";

const initialize = {
  jsonrpc: "2.0",
  id: "greeting",
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "host", version: "1" },
  },
};
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
const list = { jsonrpc: "2.0", id: "list", method: "tools/list" };

/**
 * Runs the bridge until it has carried these messages. Calls `onTaken` after it took the last one.
 */
const carry = (
  url: string,
  messages: ReadonlyArray<object>,
  onTaken: Effect.Effect<unknown> = Effect.void,
  runId: string | null = null,
) =>
  Effect.gen(function* () {
    const written: Array<Record<string, unknown>> = [];
    const sentences: Array<string> = [];
    yield* Effect.scoped(
      Bridge.run({
        url,
        key: Redacted.make("key"),
        runId,
        userAgent: "test",
        lines: Stream.concat(
          Stream.fromIterable(messages.map((message) => JSON.stringify(message))),
          Stream.drain(Stream.fromEffect(onTaken)),
        ),
        write: (line) => written.push(JSON.parse(line)),
        say: (sentence) => sentences.push(sentence),
      }),
    );
    return { written, sentences };
  });

describe("a bridge that was started for a run", () => {
  it.live("[hand-in.sent] sends the run with every message", () =>
    Effect.gen(function* () {
      const runs: Array<unknown> = [];
      const good = Http.good({ session: () => "the-session" });
      const url = yield* Http.serve((request, response, message) => {
        runs.push(request.headers["quartermaster-run"]);
        good(request, response, message);
      });
      yield* carry(url, [initialize, initialized, list], Effect.void, "run_1");
      assert.isAbove(runs.length, 2);
      assert.deepStrictEqual([...new Set(runs)], ["run_1"]);
    }),
  );
});

describe("a message before the response to initialize", () => {
  it.live("[agents.bridge.initializing] a message waits until the session is established", () =>
    Effect.gen(function* () {
      const received: Array<unknown> = [];
      const answerable = yield* Deferred.make<void>();
      const good = Http.good({ session: () => "the-session" });
      const url = yield* Http.serve((request, response, message) => {
        received.push([
          message?.method ?? request.method,
          request.headers["mcp-session-id"],
          request.headers["mcp-protocol-version"],
        ]);
        if (message?.method !== "initialize") return good(request, response, message);
        Effect.runFork(
          Effect.andThen(
            Deferred.await(answerable),
            Effect.sync(() => good(request, response, message)),
          ),
        );
      });
      const { written, sentences } = yield* carry(
        url,
        [initialize, list, initialized],
        Deferred.succeed(answerable, undefined),
      );
      assert.deepStrictEqual(
        written.map(({ id, error }) => [id, error]),
        [
          ["greeting", undefined],
          ["list", undefined],
        ],
      );
      assert.deepStrictEqual(received[0], ["initialize", undefined, undefined]);
      assert.deepInclude(received, ["tools/list", "the-session", "2025-11-25"]);
      assert.deepStrictEqual(sentences, []);
    }),
  );

  it.live(
    "[agents.bridge.initializing] a message passes when the server refuses to initialize",
    () =>
      Effect.gen(function* () {
        const url = yield* Http.serve((_, response, message) =>
          message?.method === "initialize"
            ? Http.json(response, {
                jsonrpc: "2.0",
                id: message.id,
                error: { code: -32_601, message: "Method not found" },
              })
            : Http.json(response, { jsonrpc: "2.0", id: message?.id, result: { tools: [] } }),
        );
        const { written } = yield* carry(url, [initialize, list]);
        assert.deepStrictEqual(written, [
          {
            jsonrpc: "2.0",
            id: "greeting",
            error: { code: -32_601, message: "Method not found" },
          },
          { jsonrpc: "2.0", id: "list", result: { tools: [] } },
        ]);
      }),
  );

  it.live("[agents.bridge.initializing] a message passes when initialize is lost", () =>
    Effect.gen(function* () {
      const url = yield* Http.serve((_, response, message) => {
        if (message?.method === "initialize") return void response.destroy();
        Http.json(response, { jsonrpc: "2.0", id: message?.id, result: { tools: [] } });
      });
      const { written } = yield* carry(url, [initialize, list]);
      assert.deepStrictEqual(written, [
        {
          jsonrpc: "2.0",
          id: "greeting",
          error: { code: -32_000, message: "The connection was lost before the server responded." },
        },
        { jsonrpc: "2.0", id: "list", result: { tools: [] } },
      ]);
    }),
  );
});

describe("a refused message", () => {
  it.live(
    "[agents.bridge.refusal] the response to a refused message is the server's sentence",
    () =>
      Effect.gen(function* () {
        const message = "The header Mcp-Session-Id is required.";
        const url = yield* Http.serve((_, response) =>
          response
            .writeHead(400, { "content-type": "application/json" })
            .end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_600, message } })),
        );
        const { written, sentences } = yield* carry(url, [list]);
        const sentence = `${url} rejected the request: ${message}`;
        assert.deepStrictEqual(written, [
          { jsonrpc: "2.0", id: "list", error: { code: -32_000, message: sentence } },
        ]);
        assert.deepStrictEqual(sentences, [`quartermaster mcp: ${sentence}`]);
      }),
  );

  it.live("[agents.bridge.renewals] a message fails when the server forgets each new session", () =>
    Effect.gen(function* () {
      let sessions = 0;
      const url = yield* Http.serve((request, response, message) =>
        message?.method === "initialize"
          ? Http.good({ session: () => `session-${(sessions += 1)}` })(request, response, message)
          : void response.writeHead(message?.id === undefined ? 202 : 404).end(),
      );
      const { written } = yield* carry(url, [initialize, list]);
      const failure = written.find(({ id }) => id === "list");
      assert.deepStrictEqual(failure?.["error"], {
        code: -32_000,
        message: `${url} rejected the request: It responded with HTTP status 404.`,
      });
      // The host's own session, three renewals for the message, and one for later messages.
      assert.strictEqual(sessions, 5);
    }),
  );
});

describe("the worker of a bridge", () => {
  it.live(
    "[work.bridge] every call of a tool names this process, unless the host names a worker",
    () =>
      Effect.gen(function* () {
        const metas = new Map<unknown, unknown>();
        const good = Http.good({ session: () => "the-session" });
        const url = yield* Http.serve((request, response, message) => {
          const { id, method, params } = (message ?? {}) as {
            readonly id?: string;
            readonly method?: string;
            readonly params?: Record<string, unknown>;
          };
          if (method === "tools/call" || method === "tools/list") metas.set(id, params?.["_meta"]);
          return good(request, response, message);
        });
        const call = (id: string, _meta?: object) => ({
          jsonrpc: "2.0",
          id,
          method: "tools/call",
          params: { name: "work_next", arguments: {}, ...(_meta === undefined ? {} : { _meta }) },
        });
        const named = { "quartermaster/worker": "mine" };
        yield* carry(url, [initialize, initialized, call("1"), list, call("2", named), call("3")]);
        const own = metas.get("1") as Record<string, string>;
        assert.match(own["quartermaster/worker"] ?? "", /^[0-9a-f-]{36}$/);
        assert.deepStrictEqual(metas.get("2"), named);
        assert.deepStrictEqual(metas.get("3"), own);
        assert.isUndefined(metas.get("list"));
      }),
  );
});
