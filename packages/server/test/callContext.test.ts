import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import { answer } from "./contextServer.ts";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";

const endings: Array<() => Promise<void>> = [];
const end = (one: () => Promise<void>) => endings.unshift(one);
let server: Quartermaster;
let agentKey: string;
let run: { readonly runId: string; readonly issueId: string };

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it is its own matter
type Body = any;

const send = async (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Body> => {
  const response = await server.fetch(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const shown = await response.text();
  assert.isBelow(response.status, 300, shown);
  return shown === ""
    ? null
    : JSON.parse(shown.replace(/^(event|id): .*\n/gm, "").replace(/^data: /, ""));
};

const entry = (id: string, transport: string, manifest: object) => ({
  id,
  name: id,
  description: "Returns the context of its requests.",
  category: "dev",
  transport,
  runtime: "none",
  installInstructions: "Nothing to do.",
  manifest,
});

/** A remote server, on a socket of its own. */
const remote = async (): Promise<string> => {
  const http = createServer((request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    void text(request).then((body) => {
      const message = JSON.parse(body);
      if (message.id === undefined) return response.writeHead(202).end();
      return response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify(answer(message)));
    });
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  end(async () => {
    http.closeAllConnections();
    http.close();
    await once(http, "close");
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
};

beforeAll(async () => {
  const folder = await temporaryFolder(end);
  const program = fileURLToPath(new URL("contextServer.ts", import.meta.url));
  const stdio = { command: process.execPath, args: [program, "stdio"] };
  const catalog = join(folder, "catalog.json");
  const entries = [
    entry("local", "stdio", stdio),
    entry("remote", "http", { url: await remote() }),
  ];
  await writeFile(catalog, JSON.stringify(entries));
  server = await Quartermaster.start(join(folder, "data"), { QM_CATALOG: catalog }, end);
  const issue = await send("POST", "/api/projects/shop/issues", {
    title: "Look",
    assignedAgentId: "bot",
  });
  for (const catalogId of ["local", "remote"]) {
    const { id } = await send("POST", "/api/mcp/installed", {
      catalogId,
      once: [{ tools: ["pay"] }],
    });
    const verified = await send("POST", `/api/mcp/installed/${id}/verify`);
    assert.strictEqual(verified.status, "ok", verified.details);
    await send("POST", `/api/mcp/installed/${id}/enable`);
    const entries = [{ agentId: "bot", granted: true }];
    await send("PUT", `/api/mcp/installed/${id}/access`, { entries });
  }
  const { started } = await send("POST", "/api/agents/bot/heartbeat", {});
  run = { runId: started[0].runId, issueId: issue.id };
  const made = await send("POST", "/api/keys", { name: "bot", role: "Editor", agentId: "bot" });
  agentKey = made.key;
}, 120_000);

afterAll(async () => {
  for (const one of endings) await one();
});

const trace = {
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  tracestate: "vendor=1",
  baggage: "tenant=7",
};
const forged = { "quartermaster/call": { callId: "forged" }, "quartermaster/other": 1 };

const rest = (name: string, headers: Record<string, string> = {}) =>
  send("POST", "/api/agents/bot/tools/call", { name, arguments: {} }, headers);

/** A request over `/mcp`: of the current protocol version, or of a legacy session. */
const mcp = (era: "current" | "legacy") => async (method: string, params: object) => {
  const headers = {
    authorization: `Bearer ${agentKey}`,
    accept: "application/json, text/event-stream",
  };
  const meta = { ...forged, ...trace, "quartermaster/run": run.runId };
  if (era === "current") {
    const name = "name" in params ? params.name : "uri" in params ? params.uri : "";
    const _meta = {
      ...meta,
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    return (
      await send(
        "POST",
        "/mcp",
        { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } },
        {
          ...headers,
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
          "mcp-name": String(name),
        },
      )
    ).result;
  }
  const clientInfo = { name: "test", version: "1" };
  const opened = await server.fetch("/mcp", {
    method: "POST",
    headers,
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
    }),
  });
  await opened.text();
  const session = { ...headers, "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } };
  return (await send("POST", "/mcp", body, session)).result;
};

/** `_meta` of the request as the server received it, without the members of the protocol. */
const received = (result: Body): Body => {
  const meta = JSON.parse((result.content ?? result.contents)[0].text);
  return Object.fromEntries(
    Object.entries(meta).filter(
      ([name]) => name !== "progressToken" && !name.startsWith("io.modelcontextprotocol/"),
    ),
  );
};

const context = (more: object = {}) => ({
  callId: "",
  agentId: "bot",
  ...run,
  projectId: "shop",
  attempt: 1,
  ...more,
});

const assertContext = (result: Body, expected: object) => {
  const { "quartermaster/call": call, ...others } = received(result);
  assert.match(call.callId, /^call_/);
  assert.deepStrictEqual({ ...call, callId: "" }, expected);
  assert.deepStrictEqual(others, trace);
};

describe("the context of a call", { timeout: 60_000 }, () => {
  it("[tools.calls.context.wire] by REST a server by stdio gets whose call it is and the trace, a remote server only the key of an effect", async () => {
    const withRun = { ...trace, "quartermaster-run": run.runId };
    assertContext(await rest("local__look", withRun), context());
    const none = { runId: null, issueId: null, projectId: null, attempt: null };
    assertContext(await rest("local__look", trace), context(none));
    const paid = await rest("local__pay", withRun);
    const { idempotencyKey } = received(paid)["quartermaster/call"];
    assert.match(idempotencyKey, /^[0-9a-f]{64}$/);
    assertContext(paid, context({ idempotencyKey }));
    assert.deepStrictEqual(received(await rest("remote__look", withRun)), {});
    const remotely = received(await rest("remote__pay", withRun));
    assert.deepStrictEqual(Object.keys(remotely), ["quartermaster/call"]);
    assert.deepStrictEqual(Object.keys(remotely["quartermaster/call"]), ["idempotencyKey"]);
  });

  for (const era of ["current", "legacy"] as const) {
    it(`[tools.calls.context.wire] over /mcp, ${era} version, the same, and no member of quartermaster/ passes from callers or servers`, async () => {
      const request = mcp(era);
      const looked = await request("tools/call", { name: "local__look", arguments: {} });
      assertContext(looked, context());
      assert.deepStrictEqual([looked._meta.own, looked.content[0]._meta.own], ["passes", "passes"]);
      const uri = "qm+local+note:1";
      await vi.waitFor(
        async () => assert.include(JSON.stringify(await request("resources/list", {})), uri),
        { timeout: 30_000 },
      );
      const read = await request("resources/read", { uri });
      assertContext(read, context());
      const listed = await request("tools/list", {});
      const resources = await request("resources/list", {});
      const remotely = await request("tools/call", { name: "remote__look", arguments: {} });
      assert.deepStrictEqual(received(remotely), {});
      for (const { text: _, ...shown } of [looked.content[0], read.contents[0]]) {
        assert.notInclude(JSON.stringify(shown), "forged");
      }
      assert.notInclude(JSON.stringify([looked._meta, read._meta, listed, resources]), "forged");
    });
  }
});
