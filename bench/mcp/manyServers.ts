import { fileURLToPath } from "node:url";
import { ask } from "../api.ts";
import type { Request } from "../load.ts";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import { session } from "./overHttp.ts";
import * as Scene from "./scene.ts";

/** The tool list of an agent with grants for many servers. */

const manyTools = fileURLToPath(new URL("../manyTools.ts", import.meta.url));
/** Tools per server, in turn: 500 in all. */
const sizes = [12, 13];
const servers = 40;

interface Page {
  readonly result: { readonly tools: ReadonlyArray<unknown>; readonly nextCursor?: string };
}

const listRequest = (headers: Readonly<Record<string, string>>, cursor?: string): Request => ({
  method: "POST",
  path: "/mcp",
  headers,
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 2,
    method: "tools/list",
    params: cursor === undefined ? {} : { cursor },
  }),
});

/** The requests of all pages, and the number of tools on them. */
const pagesOf = async (agent: Pick<Processes.Server, "port" | "key">) => {
  const headers = await session(agent);
  const requests: Array<Request> = [];
  let tools = 0;
  let cursor: string | undefined;
  do {
    const request = listRequest(headers, cursor);
    const { answer } = await ask<Page>(agent, "POST", "/mcp", JSON.parse(request.body ?? ""), {
      headers: { ...headers },
    });
    requests.push(request);
    tools += answer.result.tools.length;
    cursor = answer.result.nextCursor;
  } while (cursor !== undefined);
  return { requests, tools };
};

export const run = async (quick: boolean): Promise<Report.Table> => {
  const { agentKey, server } = await Scene.start(
    "mcp-servers",
    sizes.map((size) => Scene.entry(`many-${size}`, [manyTools, String(size)])),
  );
  const load = Processes.load();
  for (let index = 0; index < servers; index++) {
    Report.progress(`server ${index + 1} of ${servers}`);
    const size = sizes[index % sizes.length];
    const id = await Scene.install(server, `many-${size}`, `many-${index}`);
    await Scene.verify(server, id);
    await Scene.grant(server, id);
  }
  const agent = { port: server.port, key: agentKey };
  const { requests, tools } = await pagesOf(agent);
  const rest: Request = { method: "GET", path: `/api/agents/${Scene.agentId}/tools` };
  const ways = [
    { name: `/mcp, ${requests.length} pages`, requests },
    { name: "GET .../tools", requests: [rest] },
  ];
  const lines: Array<Report.Line> = [];
  for (const { name, requests } of ways) {
    let p50 = 0;
    let p99 = 0;
    for (const request of requests) {
      Report.progress(`the list of ${servers} servers by ${name}`);
      const page = await load.run({
        ...agent,
        requests: [request],
        connections: 1,
        warmUp: quick ? 1_000 : 5_000,
        duration: quick ? 1_000 : 5_000,
      });
      p50 += page.p50;
      p99 += page.p99;
    }
    lines.push({
      cells: [name, Report.ms(p50), Report.ms(p99)],
      value: p50,
      target: { limit: 5, is: "below" },
    });
  }
  await Promise.all([load.end(), server.end()]);
  Processes.remove("mcp-servers");
  return {
    title: `The list of an agent with ${servers} servers and ${tools} tools of them and of the service`,
    columns: ["", "p50", "p99"],
    lines,
  };
};
