import { join } from "node:path";
import { assert, describe, it, onTestFinished } from "@effect/vitest";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Quartermaster, temporaryFolder } from "../../../server/test/Quartermaster.ts";
import { accept, answerOf, initialize } from "../support/Agent.ts";
import { call } from "../support/Client.ts";
import { freePort } from "../support/freePort.ts";

const clientInfo = { name: "host", version: "1" };

/** Both official SDKs in a legacy protocol version, as hosts use them: neither acts on a 404. */
const clients = async (url: string, key: string) => {
  const endpoint = new URL("/mcp", url);
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const transport1 = new Transport1(endpoint, { requestInit });
  const client1 = new Client1(clientInfo);
  await client1.connect(transport1);
  const transport2 = new StreamableHTTPClientTransport(endpoint, { requestInit });
  const client2 = new Client(clientInfo);
  await client2.connect(transport2);
  onTestFinished(() => client1.close());
  onTestFinished(() => client2.close());
  const sessions = () => [transport1.sessionId, transport2.sessionId];
  const call1 = async (name: string) =>
    answerOf((await client1.callTool({ name, arguments: {} })) as Parameters<typeof answerOf>[0]);
  const call2 = async (name: string) => answerOf(await client2.callTool({ name }));
  return { calls: [call1, call2], sessions };
};

/** Sessions of one agent, by bare requests. */
const sessionsOf = (key: string) => {
  const post = (server: Quartermaster, body: object, headers: Record<string, string> = {}) =>
    call(server, "POST", "/mcp", { key, body, headers: { accept, ...headers } });
  return {
    begin: async (server: Quartermaster) =>
      (await post(server, initialize)).headers.get("mcp-session-id") ?? "",
    end: async (server: Quartermaster, session: string) => {
      const headers = { "mcp-session-id": session };
      return (await call(server, "DELETE", "/mcp", { key, headers })).status;
    },
    tool: async (server: Quartermaster, session: string, name: string) => {
      const params = { name, arguments: {} };
      const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
      const { body: answer, status } = await post(server, body, { "mcp-session-id": session });
      return status === 200 ? answerOf<Answer>(answer.result) : status;
    },
  };
};

interface Answer {
  readonly action: string;
  readonly run: { readonly runId: string };
}

describe("a server that restarts in the middle of a session", { timeout: 60_000 }, () => {
  it("[agents.mcp.session-ended] after a kill, a deleted session stays unknown and loses its run, and the others continue", async () => {
    const folder = join(await temporaryFolder(), "data");
    const first = await Quartermaster.start(folder);
    const body = { name: "k", role: "Editor", agentId: "bot" };
    const { key } = (await first.call("POST", "/api/keys", { body })).body;
    for (const title of ["one", "two"]) {
      const issue = { title, assignedAgentId: "bot" };
      await first.call("POST", "/api/projects/p1/issues", { body: issue });
    }
    const { begin, end, tool } = sessionsOf(key);
    const sessions = [await begin(first), await begin(first)] as const;
    const runs = [];
    for (const session of sessions) runs.push(await tool(first, session, "work_next"));
    const [deleted, stays] = sessions;
    const [lost, held] = runs.map((run) => (typeof run === "number" ? "" : run.run.runId));
    assert.strictEqual(await end(first, deleted), 200);
    await first.kill();

    const second = await Quartermaster.start(folder);
    for (const again of [1, 2]) {
      assert.strictEqual(await tool(second, deleted, "whoami"), 404, `${again}`);
      assert.strictEqual(await end(second, deleted), 404, `${again}`);
      assert.deepInclude(await tool(second, stays, "work_turn"), { action: "continue" });
    }
    // The deleted session's lease lasts for a minute from the DELETE, the other one for five from its last call.
    const leaseOf = async (runId = "") =>
      Date.parse((await second.call("GET", `/api/runs/${runId}`)).body.leaseExpiresAt);
    assert.isAtLeast((await leaseOf(held)) - (await leaseOf(lost)), 200_000);
    await second.kill("SIGTERM");
    const third = await Quartermaster.start(folder);
    assert.strictEqual(await tool(third, deleted, "whoami"), 404);
    assert.deepInclude(await tool(third, stays, "work_turn"), { action: "continue" });
  });

  it("[agents.mcp.session-rebuilt] the clients of both official SDKs continue with their sessions and runs", async () => {
    const folder = join(await temporaryFolder(), "data");
    const env = { QM_PORT: String(await freePort()) };
    const server = await Quartermaster.start(folder, env);
    const body = { name: "k", role: "Editor", agentId: "bot" };
    const { key } = (await server.call("POST", "/api/keys", { body })).body;
    const ids: Array<string> = [];
    for (const title of ["one", "two"]) {
      const issue = { title, assignedAgentId: "bot" };
      ids.push((await server.call("POST", "/api/projects/p1/issues", { body: issue })).body.id);
    }
    const { calls, sessions } = await clients(server.url, key);
    const held = sessions();
    const started = [];
    for (const call of calls) started.push((await call("work_next"))["issue"]);
    assert.deepStrictEqual(
      started.map((issue) => (issue as { readonly id: string }).id),
      ids,
    );

    await server.kill();
    const again = await Quartermaster.start(folder, env);
    for (const call of calls) {
      assert.strictEqual((await call("work_turn"))["action"], "continue");
    }

    const rotated = new Quartermaster(["rotate-key"], { QM_DATA_DIR: folder });
    assert.strictEqual((await rotated.exited).code, 0, rotated.stderr);
    for (const call of calls) assert.strictEqual((await call("whoami"))["agentId"], "bot");
    assert.deepStrictEqual(sessions(), held);
    await again.kill("SIGTERM");
  });
});
