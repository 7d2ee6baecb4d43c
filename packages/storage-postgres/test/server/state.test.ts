import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import { PgClient } from "@effect/sql-pg";
import { afterAll, assert, beforeAll, describe, inject, it, vi } from "@effect/vitest";
import { ExactNumbers, MasterKeys } from "@quartermaster/core";
import { NodeSignature as Signature } from "@quartermaster/mcp";
import { TestCore } from "@quartermaster/testing";
import { Effect, Layer, Redacted } from "effect";
import type { Answer } from "../../../http/test/support/Client.ts";
import { freePort } from "../../../http/test/support/freePort.ts";
import { type Quartermaster, temporaryFolder } from "../../../server/test/Quartermaster.ts";
import * as Node from "../support/Node.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const endings: Array<() => Promise<void>> = [];
const end = (ending: () => Promise<void>) => endings.unshift(ending);
const script = fileURLToPath(new URL("../support/counter.mjs", import.meta.url));

const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis));

let env: Record<string, string>;
let schema: string;
/** The last one has no URL. */
let nodes: readonly [Quartermaster, Quartermaster, Quartermaster];
/** A server that the first node runs. */
let counter: { readonly id: string; readonly path: string };

const start = async () => {
  const folder = await temporaryFolder(end);
  const catalog = join(folder, "catalog.json");
  const entry = {
    id: "counter",
    name: "Counter",
    description: "Counts",
    category: "dev",
    transport: "stdio",
    runtime: "none",
    installInstructions: "None",
    manifest: { command: process.execPath, args: [script], state: true },
  };
  await writeFile(catalog, JSON.stringify([entry]));
  env = { ...Node.variables(), QM_CATALOG: catalog };
  schema = env["QM_DATABASE_SCHEMA"] ?? "";
  const started = [];
  for (let n = 0; n < 2; n++) {
    const port = String(await freePort());
    const urls = { QM_PORT: port, QM_NODE_URL: `http://127.0.0.1:${port}` };
    started.push(await Node.serve({ ...env, ...urls }, end));
  }
  started.push(await Node.serve(env, end));
  const servers = started.map(({ server }) => server);
  const keys: Array<string> = [];
  for (const server of servers) {
    server.url = (await server.welcome()).url;
    keys.push(await server.ownerKey().catch(() => ""));
  }
  const key = keys.find((text) => text !== "") ?? "";
  for (const server of servers) server.key = key;
  nodes = servers as unknown as typeof nodes;
};

const done = async (answer: Promise<Answer>): Promise<Answer> => {
  const got = await answer;
  assert.isBelow(got.status, 300, got.text);
  return got;
};

/** Installs, enables and grants a counter, which this node then runs. */
const install = async (one: Quartermaster, name: string) => {
  const { body } = await done(
    one.call("POST", "/api/mcp/installed", { body: { catalogId: "counter", envValues: {}, name } }),
  );
  const path = `/api/mcp/installed/${body.id}`;
  assert.strictEqual((await done(one.call("POST", `${path}/verify`))).body.status, "ok");
  await done(one.call("POST", `${path}/enable`));
  const entries = [{ agentId: "bot", granted: true }];
  await done(one.call("PUT", `${path}/access`, { body: { entries } }));
  await done(call(one, `${name}__waiting`));
  return { id: body.id as string, path };
};

const call = (node: Quartermaster, name: string, headers: Record<string, string> = {}) =>
  node.call("POST", "/api/agents/bot/tools/call", { body: { name, arguments: {} }, headers });

const result = async (answer: Promise<Answer>) =>
  JSON.parse((await done(answer)).body.content[0].text);

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const until = async (holds: () => boolean | Promise<boolean>) => {
  const started = performance.now();
  while (!(await holds())) {
    assert.isBelow(performance.now() - started, 10_000, "ms");
    await sleep(20);
  }
};

/** Runs a statement on the database of the nodes. */
const query = <A>(statement: (sql: PgClient.PgClient) => Effect.Effect<A, unknown>) =>
  Effect.runPromise(
    Effect.flatMap(PgClient.PgClient, statement).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(inject("postgres")), maxConnections: 1 })),
    ),
  );

const leaseOf = (serverId: string) =>
  query(
    (sql) => sql<{ readonly node_id: string }>`
      SELECT node_id FROM ${sql(schema)}.process_leases WHERE server_id = ${serverId}`,
  );

/** Signs a request as a node with a master key of equal bytes. The nodes' key has 7. */
const sign = (body: string, byte = 7) =>
  Effect.runPromise(
    Effect.flatMap(Signature.make, (signature) => signature.sign("/internal/mcp", body)).pipe(
      Effect.provide(
        MasterKeys.MasterKeys.layer([TestCore.masterKey(byte)]).pipe(
          Layer.provideMerge(NodeCrypto.layer),
        ),
      ),
    ),
  );

describe.skipIf(inject("postgres") === "")("an MCP server with state on several nodes", () => {
  beforeAll(async () => {
    await start();
    counter = await install(nodes[0], "counter");
  });
  afterAll(async () => {
    for (const ending of endings) await ending();
  });

  it("[mcp.state.one] counts up for calls of every node, and another node cancels its call", async () => {
    const [one, two, lonely] = nodes;
    const { path } = counter;
    const pids = new Set<number>();
    for (const [index, node] of [one, two, lonely, two, one].entries()) {
      const counted = await result(call(node, "counter__count"));
      assert.strictEqual(counted.count, index + 1);
      pids.add(counted.pid);
    }
    assert.strictEqual(pids.size, 1);
    const both = await Promise.all(nodes.map((node) => result(call(node, "counter__count"))));
    assert.sameMembers(
      both.map(({ count }) => count),
      [6, 7, 8],
    );
    assert.strictEqual((await done(two.call("POST", `${path}/verify`))).body.status, "ok");

    const hangingUp = new AbortController();
    const waiting = two
      .call("POST", "/api/agents/bot/tools/call", {
        body: { name: "counter__wait", arguments: {} },
        signal: hangingUp.signal,
      })
      .catch(() => null);
    await until(async () => (await result(call(one, "counter__waiting"))).waiting === 1);
    hangingUp.abort();
    assert.isNull(await waiting);
    await until(async () => (await result(call(one, "counter__waiting"))).cancelled === 1);

    const other = call(two, "counter__wait");
    await until(async () => (await result(call(one, "counter__waiting"))).waiting === 1);
    await done(call(lonely, "counter__go"));
    assert.strictEqual(await result(other), "done");
    assert.strictEqual((await result(call(two, "counter__count"))).count, 9);
    const calls = await done(one.call("GET", "/api/mcp/calls?limit=100"));
    assert.lengthOf(
      calls.body.filter(({ tool }: { readonly tool: string }) => tool === "count"),
      9,
    );
  });

  it("[mcp.state.one] gets numbers that a double would change as they are, also from another node", async () => {
    const text = '{"id":9007199254740993}';
    for (const node of nodes) {
      const body = { name: "counter__message", arguments: ExactNumbers.parse(text) };
      const got = await result(node.call("POST", "/api/agents/bot/tools/call", { body }));
      assert.include(got, text);
    }
  });

  it("[mcp.state.hmac] the route of nodes accepts a request of a node once, and nothing else", async () => {
    const [one, two] = nodes;
    const { id } = counter;
    const { count } = await result(call(one, "counter__count"));
    const [lease] = await leaseOf(id);
    const request = {
      nodeId: lease?.node_id,
      serverId: id,
      generation: 2,
      agentId: "bot",
      runId: null,
      action: {
        kind: "callTool",
        name: "count",
        args: {},
        timeoutMillis: 5_000,
        maxMillis: 5_000,
        maxResultBytes: 10_000,
      },
    };
    const body = JSON.stringify(request);
    const post = async (node: Quartermaster, text: string, signature?: string) => {
      const headers = signature === undefined ? {} : { [Signature.header]: signature };
      const response = await fetch(`${node.url}/internal/mcp`, {
        method: "POST",
        body: text,
        headers: { "content-type": "application/json", ...headers },
      });
      return { status: response.status, text: await response.text() };
    };
    const refused = [
      await post(one, body),
      await post(one, body, await sign(body, 8)),
      await post(one, `${body} `, await sign(body)),
      await post(one, body, (await sign(body)).replace(/^t=./u, "t=9")),
    ];
    assert.deepStrictEqual(
      refused.map(({ status }) => status),
      [401, 401, 401, 401],
    );
    const signature = await sign(body);
    assert.include((await post(one, body, signature)).text, `{\\"count\\":${count + 1},`);
    assert.strictEqual((await post(one, body, signature)).status, 401);
    // It names the node that runs the server.
    assert.include((await post(two, body, signature)).text, `"reason":"otherNode"`);
    assert.strictEqual((await post(one, "{}", await sign("{}"))).status, 400);
    assert.strictEqual((await result(call(two, "counter__count"))).count, count + 2);
    // The response starts before the call ends, so that the other node knows that this one is alive.
    const waits = JSON.stringify({ ...request, action: { ...request.action, name: "wait" } });
    const response = await fetch(`${one.url}/internal/mcp`, {
      method: "POST",
      body: waits,
      headers: { [Signature.header]: await sign(waits) },
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let begun = "";
    // Two writes of the server may arrive together.
    while (!begun.endsWith("}\n")) {
      const { value } = await reader.read();
      begun += value ?? assert.fail(begun);
    }
    assert.strictEqual(begun, `\n{"progress":{"progress":1,"total":2}}\n`);
    await reader.cancel();
    const document = await done(one.call("GET", "/openapi.json"));
    assert.notInclude(document.text, "/internal/");
  });

  it("[mcp.state.killed][mcp.nodes.files] after the node that runs it is killed, another one starts it when the lease has expired, until an uninstall on any node", async () => {
    const [one, two, lonely] = nodes;
    const { id, path } = await install(two, "killed");
    const { pid } = await result(call(two, "killed__count"));
    assert.strictEqual((await result(call(one, "killed__count"))).count, 2);
    await two.kill("SIGKILL");
    await until(() => !isAlive(pid));
    for (const node of [one, lonely]) {
      const started = performance.now();
      const refused = await call(node, "killed__count");
      assert.isBelow(performance.now() - started, 5_000, "ms");
      assert.strictEqual(refused.status, 409, refused.text);
      assert.strictEqual(refused.body.reason, "otherNode");
      const left = Date.parse(refused.body.retryAt) - Date.parse(refused.headers.get("date") ?? "");
      assert.isTrue(left > 0 && left <= 31_000, refused.text);
    }
    // Nothing else distinguishes the lease 30 seconds later.
    await query(
      (sql) => sql`UPDATE ${sql(schema)}.process_leases
        SET expires_at = ${new Date(0).toISOString()} WHERE server_id = ${id}`,
    );
    const next = await result(call(one, "killed__count"));
    assert.strictEqual(next.count, 1);
    assert.deepStrictEqual(await result(call(lonely, "killed__count")), { ...next, count: 2 });
    assert.strictEqual((await lonely.call("DELETE", path)).status, 204);
    await until(() => !isAlive(next.pid));
  });

  it("[mcp.state.other-node][mcp.state.stop] a server on a node without a URL stays there until the node stops", async () => {
    const [one, , lonely] = nodes;
    await install(lonely, "lonely");
    assert.strictEqual((await result(call(lonely, "lonely__count"))).count, 1);
    const refused = await call(one, "lonely__count");
    assert.strictEqual(refused.status, 409);
    assert.deepInclude(refused.body, {
      type: "urn:quartermaster:problem:tool-unavailable",
      reason: "otherNode",
    });
    assert.strictEqual((await result(call(lonely, "lonely__count"))).count, 2);
    await lonely.kill("SIGTERM");
    assert.strictEqual((await result(call(one, "lonely__count"))).count, 1);
  });
});
