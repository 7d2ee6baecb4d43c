import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { assert, describe, it, onTestFinished } from "@effect/vitest";
import { AgentSessionStore } from "@quartermaster/core";
import { MemoryStorage } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { temporaryFolder } from "../../../server/test/Quartermaster.ts";
import * as Agent from "../support/Agent.ts";
import { assertFields, assertRejects, assertShape, rejection } from "../support/Assert.ts";
import * as Bridge from "../support/Bridge.ts";
import { freePort } from "../support/freePort.ts";
import { Signal } from "../support/Signal.ts";
import * as World from "../support/World.ts";

const { initialize, serviceTools } = Agent;

/** Runs the bridge on this input until it exits. */
const run = async (
  env: Record<string, string>,
  input: string,
  more: ReadonlyArray<string> = [],
) => {
  const bridge = Bridge.start(env, more);
  bridge.stdin.end(input);
  const { code, stdout } = await bridge.exited;
  const messages = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { code, stdout, stderr: bridge.stderr(), messages };
};

for (const era of Agent.eras) {
  describe(`quartermaster mcp ${era}`, { timeout: 60_000 }, () => {
    it("[runs.worker] a run of a host behind the bridge shows the bridge's process", async () => {
      const world = await World.forTest();
      await world.issue({ assignedAgentId: "bot" });
      const { client, transport } = await Bridge.connect(
        { QM_URL: world.url, QM_KEY: world.agent.key },
        era,
      );
      await client.callTool({ name: "work_next", arguments: {} });
      const { body } = await world.call("GET", "/api/agents/bot/runs");
      const { pid } = transport;
      assertFields(body[0].worker, {
        name: /^[0-9a-f-]{36}$/,
        client: "quartermaster-bridge",
        pid,
      });
    });

    it("[runs.worker] a run of a host without the bridge shows the host's name, not its runtime", async () => {
      const world = await World.forTest();
      await world.issue({ assignedAgentId: "bot" });
      const { client } = await world.connect(era);
      await client.callTool({ name: "work_next", arguments: {} });
      const { body } = await world.call("GET", "/api/agents/bot/runs");
      const unknown = { name: null, host: null, pid: null };
      assertFields(body[0].worker, { ...unknown, client: "test/1" });
    });

    it("[agents.bridge.messages] the bridge passes messages in both directions", async () => {
      const world = await World.forTest();
      const env = { QM_URL: world.url, QM_KEY: world.agent.key };
      const { changed, client } = await Bridge.connect(env, era);
      assert.strictEqual(client.getNegotiatedProtocolVersion(), era);
      assert.deepStrictEqual(
        (await client.listTools()).tools.map(({ name }) => name),
        serviceTools,
      );
      await world.usableTool();
      await changed(0);
      // The client drops the progress listener if the result arrives in the same chunk.
      const { promise: heard, resolve: hear } = Promise.withResolvers<void>();
      world.server.onCall = ({ progress }) =>
        progress({ progress: 1, message: "ü" }).pipe(
          Effect.andThen(Effect.promise(() => heard)),
          Effect.as({ content: [{ type: "text", text: "done" }] }),
        );
      const said: Array<unknown> = [];
      const onprogress = (progress: unknown) => {
        said.push(progress);
        hear();
      };
      const result = await client.callTool(
        { name: "test-tool__add", arguments: { text: "a\nb" } },
        { onprogress },
      );
      assert.deepStrictEqual(result.content, [{ type: "text", text: "done" }]);
      assert.deepStrictEqual(said, [{ progress: 1, message: "ü" }]);
      assert.isTrue((await client.callTool({ name: "none" })).isError);
      await assertRejects(client.readResource({ uri: "none://none" }), { code: -32_602 });
      world.server.onCall = () => Effect.never;
      const abort = new AbortController();
      const call = client.callTool({ name: "test-tool__add" }, { signal: abort.signal });
      await world.serverUntil(() => world.server.calls.length === 2);
      abort.abort();
      assert.instanceOf(await rejection(call), Error);
      await world.serverUntil(() => world.server.calls[1]?.outcome === "cancelled");
    });

    it("[agents.bridge.messages] the bridge passes prompts, completions and the notice of changed prompts", async () => {
      const world = await World.forTest();
      world.server.prompts = [{ name: "review", arguments: [{ name: "path", required: true }] }];
      world.server.onPrompt = (name, args) =>
        Effect.succeed({
          messages: [
            { role: "user", content: { type: "text", text: `${name} ${JSON.stringify(args)}` } },
          ],
        });
      const env = { QM_URL: world.url, QM_KEY: world.agent.key };
      const { changed, client } = await Bridge.connect(env, era, "prompts");
      assert.deepNestedInclude(client.getServerCapabilities(), {
        prompts: { listChanged: true },
        completions: {},
      });
      assert.deepStrictEqual((await client.listPrompts()).prompts, []);
      await world.usableTool();
      await changed(0);
      const name = "test-tool__review";
      assertFields((await client.listPrompts()).prompts, [{ name }]);
      assertFields(await client.getPrompt({ name, arguments: { path: "a" } }), {
        messages: [{ role: "user", content: { type: "text", text: 'review {"path":"a"}' } }],
      });
      const ref = { type: "ref/prompt" as const, name };
      assertFields(await client.complete({ ref, argument: { name: "path", value: "v" } }), {
        completion: { values: ["va", "vb", "vc"], total: 3 },
      });
      await assertRejects(client.getPrompt({ name: "none" }), { code: -32_602 });
    });
  });
}

describe("quartermaster mcp", { timeout: 60_000 }, () => {
  it("[agents.bridge.session] the bridge replaces an expired session, and notifies the host", async () => {
    // Acts like another client that ended the sessions that exist by then.
    const known = new Set<string>();
    let ended = new Set<string>();
    const forgetful = Layer.effect(
      AgentSessionStore.AgentSessionStore,
      Effect.map(AgentSessionStore.AgentSessionStore, (store) => ({
        ...store,
        isEnded: (_: string, nonce: string) =>
          Effect.sync(() => {
            known.add(nonce);
            return ended.has(nonce);
          }),
      })),
    );
    const storage = Layer.provideMerge(forgetful, MemoryStorage.layer);
    const world = await World.forTest({ storage });
    const env = { QM_URL: `${world.url}/mcp`, QM_KEY: world.agent.key };
    const { changed, client, logged } = await Bridge.connect(env, "2025-11-25");
    assert.lengthOf((await client.listTools()).tools, serviceTools.length);
    ended = new Set(known);
    assert.lengthOf((await client.listTools()).tools, serviceTools.length);
    await changed(0);
    await logged("Started a new one");
  });

  it("[agents.bridge.end] the bridge exits when its input ends, after the last response", async () => {
    const world = await World.forTest();
    const folder = await temporaryFolder();
    const file = join(folder, "key");
    await writeFile(file, `${world.agent.key}\n`);
    const input = `${JSON.stringify(initialize)}\nnonsense\n`;
    const { code, messages, stderr } = await run({}, input, [
      "--url",
      world.url,
      "--key-file",
      file,
    ]);
    const answer = messages.find(({ id }) => id === 0);
    assertFields(answer, { id: 0, result: Object });
    assert.deepInclude(messages, {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32_700, message: "Not JSON-RPC" },
    });
    assert.deepStrictEqual([code, stderr], [0, ""]);
  });

  it("[agents.bridge.refused] a refused bridge logs the reason to stderr, and exits with the matching code", async () => {
    const world = await World.forTest();
    const input = `${JSON.stringify(initialize)}\n`;
    const { url } = world;
    const [wrong, editor, none, odd, file] = await Promise.all([
      run({ QM_URL: url, QM_KEY: "qm_wrong_key" }, input),
      run({ QM_URL: url, QM_KEY: world.keys.editor.key }, input),
      run({ QM_URL: url }, input),
      run({ QM_URL: "ftp://x", QM_KEY: "k" }, input),
      run({ QM_URL: url }, input, ["--key-file", "/nonexistent"]),
    ]);
    assert.deepStrictEqual(
      [wrong, editor, none, odd, file].map(({ code }) => code),
      [4, 2, 4, 1, 1],
    );
    for (const { messages } of [wrong, editor]) {
      assert.lengthOf(messages, 1);
      assert.strictEqual(messages[0].id, 0);
      assertShape(messages[0].error, { code: -32_000, message: String });
    }
    for (const { stdout } of [none, odd, file]) assert.strictEqual(stdout, "");
    assert.include(wrong.stderr, "valid API key");
    assert.include(editor.stderr, "Only agent keys are allowed here");
    assert.notMatch(wrong.stderr + editor.stderr, /qm_[a-z0-9]/i);
    assert.include(none.stderr, "QM_KEY");
    assert.include(odd.stderr, "The URL of the server must look like");
    assert.include(file.stderr, "--key-file must name a file that can be read");
    // The value could be a key instead of a path.
    assert.notInclude(file.stderr, "/nonexistent");
  });

  it("[agents.bridge.unreached] the bridge retries until it reaches the server", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { child, logged, stdin } = Bridge.start({ QM_URL: url, QM_KEY: "k" });
    stdin.write(`${JSON.stringify(initialize)}\n`);
    await logged(`${url} cannot be reached; retrying.`);
    assert.isNull(child.exitCode);
  });

  it("[agents.bridge.cancelled] a request that is cancelled before the server is reached is not sent", async () => {
    const received: Array<unknown> = [];
    const signal = new Signal();
    const server = createServer(async (request, response) => {
      const { id } = JSON.parse(await text(request));
      received.push(id);
      signal.notify();
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: {} }));
    });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    onTestFinished(() => void server.close());
    const { logged, stdin } = Bridge.start({ QM_URL: url, QM_KEY: "k" });
    const say = (message: object) =>
      stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    say({ id: 1, method: "tools/list" });
    await logged("cannot be reached; retrying.");
    say({ method: "notifications/cancelled", params: { requestId: 1 } });
    say({ id: 2, method: "tools/list" });
    // The bridge reads its input before the server listens: no output reports that it did.
    await new Promise((resolve) => setTimeout(resolve, 100));
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    await signal.until(() => received.includes(2));
    // Longer than the delay before a retry of the first request. There must be no retry.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.deepStrictEqual(received, [2]);
  });
});
