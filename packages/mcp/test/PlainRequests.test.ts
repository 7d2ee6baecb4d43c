import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import { Effect } from "effect";
import * as PlainRequests from "../src/agents/endpoint/plain/PlainRequests.ts";
import * as Endpoint from "./support/Endpoint.ts";

/** Sends the same request over the fast path and over the SDK's own transports. */
const bothWays = (
  ask: (endpoint: Endpoint.Endpoint) => Effect.Effect<Endpoint.Reply>,
  options: Endpoint.Options = {},
) =>
  Effect.gen(function* () {
    const fast = yield* Endpoint.make({ ...options, plain: true });
    const sdk = yield* Endpoint.make({ ...options, plain: false });
    return [yield* ask(fast), yield* ask(sdk)] as const;
  });

/** Headers that only streams have. */
const ofStreams = new Set(["cache-control", "content-length", "content-type", "x-accel-buffering"]);

/** In a session the SDK sends a message as the only event of a stream: the bytes are the same. */
const assertSame = (fast: Endpoint.Reply, sdk: Endpoint.Reply) => {
  assert.notStrictEqual(fast.text, "");
  if (!sdk.headers["content-type"]?.startsWith("text/event-stream")) {
    return assert.deepStrictEqual(fast, sdk);
  }
  const [a, b] = [fast, sdk].map(({ headers, status, text }) => ({
    status,
    text,
    headers: Object.entries(headers).filter(([name]) => !ofStreams.has(name)),
  }));
  assert.deepStrictEqual(a, b);
};

const call = (params: unknown) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const good = { name: "fix__echo", arguments: { a: [1, "ü", null] } };

describe("a request in a session", () => {
  it.effect.each([
    ["a list", list, {}],
    ["a list with empty params", { ...list, params: {} }, {}],
    ["a list with a text for its id", { ...list, id: "one" }, {}],
    ["a list with a bad cursor", { ...list, params: { cursor: "nonsense" } }, {}],
    ["a list with other metadata", { ...list, params: { _meta: { "example.com/a": 1 } } }, {}],
    ["a list in its revision", list, { "mcp-protocol-version": "2025-11-25" }],
    ["a call", call(good), {}],
    ["a call without arguments", call({ name: "fix__echo" }), {}],
    ["a call of an unknown tool", call({ name: "none" }), {}],
    ["a call without a name", call({ arguments: {} }), {}],
    ["a call whose name is a number", call({ name: 1 }), {}],
    ["a call whose arguments are a list", call({ name: "fix__echo", arguments: [] }), {}],
    ["a call without params", { jsonrpc: "2.0", id: 1, method: "tools/call" }, {}],
    ["a ping", { jsonrpc: "2.0", id: 1, method: "ping" }, {}],
    ["a method that does not exist", { jsonrpc: "2.0", id: 1, method: "no/such" }, {}],
    ["a method of another capability", { jsonrpc: "2.0", id: 1, method: "prompts/list" }, {}],
    // Requests that the fast path leaves to the SDK.
    ["a fraction for its id", { ...list, id: 1.5 }, {}],
    ["another version of JSON-RPC", { ...list, jsonrpc: "1.0" }, {}],
    ["a member that JSON-RPC has not", { ...list, more: 1 }, {}],
    ["an unknown revision", list, { "mcp-protocol-version": "1999-01-01" }],
    ["an Accept without streams", list, { accept: "application/json" }],
    ["a batch", [list, { ...list, id: 2 }], {}],
  ] as const)(
    "[agents.mcp.plain] a request gets the same reply by the fast path and by the SDK: %s",
    ([, body, headers]) =>
      Effect.gen(function* () {
        const [fast, sdk] = yield* bothWays((endpoint) =>
          Effect.flatMap(Endpoint.startSession(endpoint), (session) =>
            endpoint(body, { ...session, ...headers }),
          ),
        );
        assertSame(fast, sdk);
      }),
  );
});

describe("a request of the current protocol version", () => {
  const plain = Endpoint.current("tools/list");
  const { _meta } = plain.body.params;

  it.effect.each([
    ["a list", plain],
    ["a list with a text for its id", Endpoint.current("tools/list", {}, "one")],
    ["a list with a bad cursor", Endpoint.current("tools/list", { cursor: "nonsense" })],
    ["a call", Endpoint.current("tools/call", good)],
    ["a call without arguments", Endpoint.current("tools/call", { name: "fix__echo" })],
    ["a call of an unknown tool", Endpoint.current("tools/call", { name: "none" })],
    [
      "a call whose arguments are a list",
      Endpoint.current("tools/call", { name: "fix__echo", arguments: [] }),
    ],
    ["a call without a name", Endpoint.current("tools/call")],
    [
      "a list whose client has no name",
      {
        ...plain,
        body: {
          ...plain.body,
          params: { _meta: { ..._meta, "io.modelcontextprotocol/clientInfo": undefined } },
        },
      },
    ],
    [
      "a list whose client has no capabilities",
      {
        ...plain,
        body: {
          ...plain.body,
          params: { _meta: { ..._meta, "io.modelcontextprotocol/clientCapabilities": undefined } },
        },
      },
    ],
    // Requests that the fast path leaves to the SDK.
    ["a discovery", Endpoint.current("server/discover")],
    ["a method that does not exist", Endpoint.current("no/such")],
    ["a header of another method", { ...plain, headers: { ...plain.headers, "mcp-method": "x" } }],
    [
      "a header of another tool",
      {
        ...Endpoint.current("tools/call", good),
        headers: { ...Endpoint.current("tools/call", good).headers, "mcp-name": "other" },
      },
    ],
  ] as const)(
    "[agents.mcp.plain] a request gets the same reply by the fast path and by the SDK: %s",
    ([, { body, headers }]) =>
      Effect.gen(function* () {
        const [fast, sdk] = yield* bothWays((endpoint) => endpoint(body, headers));
        assertSame(fast, sdk);
      }),
  );
});

it.effect("[agents.mcp.plain] the fast path responds with JSON where the SDK opens a stream", () =>
  Effect.gen(function* () {
    const [fast, sdk] = yield* bothWays((endpoint) =>
      Effect.flatMap(Endpoint.startSession(endpoint), (session) => endpoint(list, session)),
    );
    assert.deepStrictEqual(
      [fast, sdk].map(({ headers }) => headers["content-type"]),
      ["application/json", "text/event-stream"],
    );
  }),
);

describe("a tool", () => {
  it.effect.each([
    ["a result of no known kind", Effect.succeed({ content: [{ type: "novel", deep: null }] })],
    ["structured content", Effect.succeed({ content: [], structuredContent: { a: 1 } })],
    ["an error", Effect.succeed({ content: [{ type: "text", text: "no" }], isError: true })],
    ["a defect", Effect.die("broken")],
  ] as const)("[agents.mcp.plain] a result is the same by both ways: %s", ([, outcome]) =>
    Effect.gen(function* () {
      const options = { call: () => outcome };
      const { body, headers } = Endpoint.current("tools/call", good);
      const replies = [
        yield* bothWays((endpoint) => endpoint(body, headers), options),
        yield* bothWays(
          (endpoint) =>
            Effect.flatMap(Endpoint.startSession(endpoint), (session) =>
              endpoint(call(good), session),
            ),
          options,
        ),
      ];
      for (const [fast, sdk] of replies) {
        assertSame(fast, sdk);
      }
    }),
  );
});

it("[agents.mcp.plain] the installed SDK is the version that these replies were compared with", () => {
  const root = new URL("../../../", import.meta.url);
  const installed = (name: string) =>
    JSON.parse(
      readFileSync(fileURLToPath(new URL(`node_modules/${name}/package.json`, root)), "utf8"),
    ).version;
  const declared = JSON.parse(
    readFileSync(fileURLToPath(new URL("../package.json", import.meta.url)), "utf8"),
  ).dependencies;
  for (const name of ["@modelcontextprotocol/server", "@modelcontextprotocol/client"]) {
    assert.deepStrictEqual(
      [installed(name), declared[name]],
      [PlainRequests.sdkVersion, PlainRequests.sdkVersion],
    );
  }
});
