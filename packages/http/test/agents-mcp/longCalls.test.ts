import { assert, describe, it } from "@effect/vitest";
import { McpConnector } from "@quartermaster/core";
import { Effect } from "effect";
import * as Agent from "../support/Agent.ts";
import { assertFields, assertRejects } from "../support/Assert.ts";
import { request } from "../support/Client.ts";
import type * as TestServer from "../support/TestServer.ts";
import * as World from "../support/World.ts";

const { accept, initialize, stateless } = Agent;

/** A world whose responses start after 20 ms, with a filler every 20 ms. */
const start = async (options: TestServer.Options = {}) => {
  const world = await World.forTest({
    keepAlive: { afterMillis: 20, everyMillis: 20 },
    ...options,
  });
  await world.usableTool();
  return world;
};

const name = "test-tool__add";

/** Delays the results of calls until the test calls the returned function. */
const holdCalls = (world: World.World) => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  world.server.onCall = () =>
    Effect.as(
      Effect.promise(() => gate),
      { content: [{ type: "text", text: "done" }] },
    );
  return open;
};

/** The requests that may take long: a call of each protocol version, and of REST. */
const requests: Record<
  string,
  (world: World.World) => Promise<{
    readonly path: string;
    readonly body: object;
    readonly headers: Record<string, string>;
  }>
> = {
  "2026-07-28": async () => {
    const { body, headers } = stateless("tools/call", { name });
    return { path: "/mcp", body, headers: { ...headers, accept, "mcp-name": name } };
  },
  "2026-07-28 with progress": async () => {
    const { body, headers } = stateless("tools/call", { name });
    Object.assign(body.params._meta, { progressToken: 7 });
    return { path: "/mcp", body, headers: { ...headers, accept, "mcp-name": name } };
  },
  "2025-11-25": async (world) => ({
    path: "/mcp",
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name } },
    headers: { accept, ...(await session(world)) },
  }),
  "2025-11-25 with progress": async (world) => ({
    path: "/mcp",
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, _meta: { progressToken: 7 } },
    },
    headers: { accept, ...(await session(world)) },
  }),
  REST: async () => ({ path: "/api/agents/bot/tools/call", body: { name }, headers: {} }),
};

const session = async (world: World.World) => {
  const { headers } = await world.post(initialize);
  return { "mcp-session-id": headers.get("mcp-session-id") ?? "" };
};

const send = async (world: World.World, form: string, signal?: AbortSignal) => {
  const { body, headers, path } = await requests[form]!(world);
  const { key } = world.agent;
  const response = await request(world, "POST", path, {
    key,
    body,
    headers,
    ...(signal && { signal }),
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    response,
    /** Reads until the condition holds for the text, or to its end. */
    read: async (holds: (text: string) => boolean = () => false) => {
      for (;;) {
        if (holds(text)) return text;
        const { done, value } = await reader.read();
        if (done) return text;
        text += value;
      }
    },
  };
};

/** At least two fillers and nothing else. */
const fillers = { events: /^(:[^\n]*\n\n){2,}$/, spaces: /^ {2,}$/ };

describe("a long call", () => {
  const events = ["2026-07-28", "2026-07-28 with progress", "2025-11-25 with progress"];
  for (const form of events) {
    it(`[agents.mcp.long] ${form}: comments of a stream precede the result`, async () => {
      const world = await start();
      const open = holdCalls(world);
      const { read, response } = await send(world, form);
      assert.strictEqual(response.status, 200);
      assert.strictEqual(response.headers.get("content-type"), "text/event-stream");
      await read((text) => fillers.events.test(text));
      open();
      const [, data] = /^data: (.*)$/m.exec(await read()) ?? [];
      assertFields(JSON.parse(data!), { id: 1, result: { content: [{ text: "done" }] } });
    });
  }

  for (const form of Object.keys(requests)) {
    it(`[agents.mcp.long] ${form}: the first byte does not wait for the interval between two fillers`, async () => {
      const world = await start({ keepAlive: { afterMillis: 20, everyMillis: 600_000 } });
      const open = holdCalls(world);
      const { read } = await send(world, form);
      assert.match(await read((text) => text !== ""), /^(:\n\n| )$/);
      open();
      assert.include(await read(), "done");
    });
  }

  for (const form of ["2025-11-25", "REST"]) {
    it(`[agents.mcp.long] ${form}: spaces precede the object`, async () => {
      const world = await start();
      const open = holdCalls(world);
      const { read, response } = await send(world, form);
      assert.strictEqual(response.status, 200);
      assert.strictEqual(response.headers.get("content-type"), "application/json");
      assert.strictEqual(response.headers.get("x-accel-buffering"), "no");
      await read((text) => fillers.spaces.test(text));
      open();
      const body = JSON.parse(await read());
      assertFields(form === "REST" ? body : body.result, { content: [{ text: "done" }] });
    });
  }

  for (const form of Object.keys(requests)) {
    it(`[tools.call.cancel] ${form}: a caller that disconnects during it cancels the call`, async () => {
      const world = await start();
      world.server.onCall = () => Effect.never;
      const controller = new AbortController();
      const { read } = await send(world, form, controller.signal);
      await read((text) => text !== "");
      controller.abort();
      await world.serverUntil(() => world.server.calls[0]?.outcome === "cancelled");
    });

    it(`[tools.call.cancel] ${form}: a caller that disconnects before the response cancels the call`, async () => {
      const world = await World.forTest();
      await world.usableTool();
      world.server.onCall = () => Effect.never;
      const controller = new AbortController();
      const sent = send(world, form, controller.signal).catch(() => null);
      await world.serverUntil(() => world.server.calls.length === 1);
      controller.abort();
      await sent;
      await world.serverUntil(() => world.server.calls[0]?.outcome === "cancelled");
    });
  }

  it("[tools.call.long] a refusal after the first space is a result with isError", async () => {
    const world = await start();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    world.server.onCall = () =>
      Effect.andThen(
        Effect.promise(() => gate),
        new McpConnector.ConnectorError({ reason: "unreachable", message: "no", sent: false }),
      );
    const { read } = await send(world, "REST");
    await read((text) => text !== "");
    open();
    assertFields(JSON.parse(await read()), {
      isError: true,
      structuredContent: {
        type: "urn:quartermaster:problem:tool-unavailable",
        status: 409,
        reason: "failing",
      },
    });
  });

  it("[tools.call.long] a defect after the first space is logged and breaks the connection", async () => {
    const lines: Array<string> = [];
    const world = await start({ log: ({ text }) => lines.push(text) });
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    world.server.onCall = () =>
      Effect.andThen(
        Effect.promise(() => gate),
        Effect.die("broken by the test"),
      );
    const { read } = await send(world, "REST");
    await read((text) => text !== "");
    open();
    await assertRejects(read(), {});
    assert.lengthOf(
      lines.filter((line) => line.includes("broken by the test")),
      1,
    );
  });

  for (const era of Agent.eras) {
    it(`[agents.mcp.long] ${era}: a long read of a resource keeps its connection alive`, async () => {
      const world = await start();
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      const uri = "qm+test-tool+file:///made";
      world.server.onRead = () =>
        Effect.as(
          Effect.promise(() => gate),
          { contents: [{ uri: "file:///made", text: "read" }] },
        );
      const isCurrent = era === "2026-07-28";
      const { body, headers } = isCurrent
        ? stateless("resources/read", { uri })
        : {
            body: { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } },
            headers: await session(world),
          };
      const response = await request(world, "POST", "/mcp", {
        key: world.agent.key,
        body,
        headers: { ...headers, accept, ...(isCurrent && { "mcp-name": uri }) },
      });
      const type = isCurrent ? "text/event-stream" : "application/json";
      assert.strictEqual(response.headers.get("content-type"), type);
      open();
      const text = await response.text();
      assert.match(text, isCurrent ? /^(:\n\n)+event: message\ndata: \{/ : /^ +\{/);
      assert.include(text, '"text":"read"');
    });
  }

  it("[agents.mcp.long] a wait of a work tool keeps its connection alive", async () => {
    const world = await start();
    const { body, headers } = stateless("tools/call", {
      name: "work_next",
      arguments: { waitSeconds: 30 },
    });
    const controller = new AbortController();
    const response = await request(world, "POST", "/mcp", {
      key: world.agent.key,
      body,
      headers: { ...headers, accept, "mcp-name": "work_next" },
      signal: controller.signal,
    });
    assert.strictEqual(response.headers.get("content-type"), "text/event-stream");
    controller.abort();
  });

  for (const era of Agent.eras) {
    it(`[agents.mcp.long] the official client of ${era} gets the result of a long call`, async () => {
      const world = await start();
      const open = holdCalls(world);
      const { client } = await world.connect(era);
      const called = client.callTool({ name });
      await world.serverUntil(() => world.server.calls.length === 1);
      setTimeout(open, 100);
      assertFields(await called, { content: [{ text: "done" }] });
      const noted: Array<unknown> = [];
      const { promise: gate, resolve } = Promise.withResolvers<void>();
      world.server.onCall = ({ progress }) =>
        Effect.gen(function* () {
          yield* Effect.promise(() => gate);
          yield* progress({ progress: 1 });
          return { content: [] };
        });
      const informed = client.callTool(
        { name },
        { onprogress: (progress) => noted.push(progress) },
      );
      await world.serverUntil(() => world.server.calls.length === 2);
      setTimeout(resolve, 100);
      await informed;
      assert.deepStrictEqual(noted, [{ progress: 1 }]);
    });
  }
});
