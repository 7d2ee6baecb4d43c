import { ask } from "../api.ts";
import type { Request } from "../load.ts";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";

/**
 * The overhead of a call over HTTP compared with the same call over stdio, both by the bare client
 * of the official SDK.
 */

const accept = "application/json, text/event-stream";

/** Starts a session of a legacy protocol version. Returns the headers of its requests. */
export const session = async (agent: Pick<Processes.Server, "port" | "key">) => {
  const version = "2025-11-25";
  const { headers } = await ask(
    agent,
    "POST",
    "/mcp",
    {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: version,
        capabilities: {},
        clientInfo: { name: "bench", version: "1.0.0" },
      },
    },
    { headers: { accept } },
  );
  const all = {
    accept,
    "mcp-protocol-version": version,
    "mcp-session-id": headers.get("mcp-session-id") ?? "",
  };
  const begun = { jsonrpc: "2.0", method: "notifications/initialized" };
  await ask(agent, "POST", "/mcp", begun, { headers: all });
  return all;
};

const mcpCall = (
  name: string,
  headers: Record<string, string>,
  meta?: Record<string, unknown>,
): Request => ({
  method: "POST",
  path: "/mcp",
  headers,
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: {
      name,
      arguments: { message: "hello" },
      ...(meta === undefined ? {} : { _meta: meta }),
    },
  }),
});

const present = "2026-07-28";

const withoutSession = (name: string) =>
  mcpCall(
    name,
    {
      accept,
      "mcp-protocol-version": present,
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    {
      "io.modelcontextprotocol/protocolVersion": present,
      "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  );

/** Checks one result before the measurement: a failing tool is not an HTTP error. */
const checkAnswer = async (agent: Pick<Processes.Server, "port" | "key">, request: Request) => {
  const { answer } = await ask(agent, "POST", request.path, JSON.parse(request.body ?? ""), {
    headers: { ...request.headers },
  });
  const text = JSON.stringify(answer);
  if (!text.includes("Echo: hello")) throw new Error(`${request.path}: ${text}`);
};

type Load = ReturnType<typeof Processes.load>;

const added = async (
  server: Processes.Server,
  key: string,
  bare: Scene.Caller,
  load: Load,
  { rounds, duration, warmUp }: Scene.Rounds & { readonly warmUp: number },
): Promise<ReadonlyArray<Report.Line>> => {
  const agent = { port: server.port, key };
  const tool = "everything__echo";
  const requests = [
    { name: "POST /mcp, in a session", request: mcpCall(tool, await session(agent)), judged: true },
    { name: "POST /mcp, without one", request: withoutSession(tool), judged: true },
    { name: "POST .../tools/call", request: Scene.toolsCall(tool), judged: false },
  ] as const;
  for (const { name, request } of requests) {
    Report.progress(`a call through HTTP: ${name} warms up`);
    await checkAnswer(agent, request);
    await load.run({ ...agent, requests: [request], connections: 1, warmUp: 0, duration: warmUp });
  }
  const sdk = Processes.caller("http", `http://127.0.0.1:${server.port}/mcp`, key, tool);
  const calls = { order: "call", calls: duration, atOnce: 1 } as const;

  const p50s: Array<{ readonly bare: number; readonly ways: ReadonlyArray<number> }> = [];
  for (let round = 0; round <= rounds; round++) {
    Report.progress(`a call through HTTP: round ${round} of ${rounds}`);
    const own = await bare.ask(calls);
    const ways: Array<number> = [];
    for (const { request } of requests) {
      const job = { ...agent, requests: [request], connections: 1, warmUp: 100, duration };
      ways.push((await load.run(job)).p50);
    }
    ways.push((await sdk.ask(calls)).p50);
    if (round > 0) p50s.push({ bare: own.p50, ways });
  }
  await sdk.end();
  const bareP50 = Scene.median(p50s, (round) => round.bare);
  return [...requests, { name: "/mcp, by the SDK's client", judged: false }].map(
    ({ name, judged }, way): Report.Line => {
      const of = (round: (typeof p50s)[number]) => round.ways[way] ?? Number.NaN;
      const value = Scene.median(p50s, (round) => of(round) - round.bare);
      return {
        cells: [name, Report.ms(Scene.median(p50s, of)), Report.ms(bareP50), Report.ms(value)],
        ...(judged ? { value, target: { limit: 0.6, is: "atMost" } } : {}),
      };
    },
  );
};

export const run = async (quick: boolean): Promise<Report.Table> => {
  const { agentKey, server } = await Scene.start("mcp-http", [
    Scene.entry("everything", [Scene.everything]),
  ]);
  const load = Processes.load();
  const bare = Processes.caller("bare", Scene.everything);
  const id = await Scene.install(server, "everything", "everything");
  await Scene.verify(server, id);
  await Scene.grant(server, id);
  const lines = await added(server, agentKey, bare, load, {
    rounds: quick ? 3 : 7,
    duration: quick ? 500 : 1_500,
    warmUp: quick ? 5_000 : 10_000,
  });
  await Promise.all([bare.end(), load.end(), server.end()]);
  Processes.remove("mcp-http");
  return {
    title: "p50 of echo through HTTP beside the bare SDK client, one at a time",
    columns: ["", "ours", "bare", "added"],
    lines,
  };
};
