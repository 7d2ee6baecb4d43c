import { randomInt } from "node:crypto";
import { join } from "node:path";
import { assert, describe, it, onTestFinished } from "@effect/vitest";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Quartermaster, temporaryFolder } from "../../../server/test/Quartermaster.ts";
import { answerOf } from "../support/Agent.ts";

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

describe("a server that restarts in the middle of a session", { timeout: 60_000 }, () => {
  it("[agents.mcp.session-rebuilt] the clients of both official SDKs continue with their sessions and runs", async () => {
    const folder = join(await temporaryFolder(), "data");
    // Below the ports that the system assigns, so that it stays free while the server is down.
    const env = { QM_PORT: String(randomInt(20_000, 30_000)) };
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
