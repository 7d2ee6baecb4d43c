import { ask } from "../api.ts";
import type { Request } from "../load.ts";
import type * as Processes from "../processes.ts";

/** Agents with one key each, and their messages to `/mcp`. */

export interface Agent {
  readonly id: string;
  readonly key: string;
}

/** Creates agents with a key each. */
export const agents = async (
  server: Processes.Server,
  prefix: string,
  count: number,
): Promise<ReadonlyArray<Agent>> => {
  const made: Array<Agent> = [];
  for (let index = 0; index < count; index++) {
    const id = `${prefix}-${index}`;
    const body = { name: id, role: "Editor", agentId: id };
    const { answer } = await ask<{ readonly key: string }>(server, "POST", "/api/keys", body);
    made.push({ id, key: answer.key });
  }
  return made;
};

/** Creates an issue that is assigned to the agent. Returns its id. */
export const issue = async (server: Processes.Server, { id }: Agent): Promise<string> => {
  const body = { title: "A task", assignedAgentId: id };
  const path = "/api/projects/bench/issues";
  return (await ask<{ readonly id: string }>(server, "POST", path, body)).answer.id;
};

const version = "2026-07-28";

/** A tool call in the current protocol version, by the agent's worker. */
export const call = (
  { id, key }: Agent,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  path = "/mcp",
): Request => ({
  method: "POST",
  path,
  key,
  headers: {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": version,
    "mcp-method": "tools/call",
    "mcp-name": name,
  },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name,
      arguments: args,
      _meta: {
        "quartermaster/worker": id,
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  }),
});

interface Answer {
  readonly result?: {
    readonly isError?: boolean;
    readonly content: ReadonlyArray<{ readonly text: string }>;
  };
}

/** The last message of a stream: what a call returns that takes long. */
const streamed = (text: string): Answer => {
  const data = text.split("\n").findLast((line) => line.startsWith("data: "));
  if (data === undefined) throw new Error(`A stream without a message: ${text}`);
  return JSON.parse(data.slice("data: ".length)) as Answer;
};

/** Sends a call, and returns the JSON that the service's tool returns. */
export const answerOf = async <A>(server: Processes.Server, request: Request): Promise<A> => {
  const { body = "", headers, key = "", path } = request;
  const agent = { port: server.port, key };
  const more = { headers: { ...headers } };
  const { answer: sent } = await ask<Answer | string>(agent, "POST", path, JSON.parse(body), more);
  const answer = typeof sent === "string" ? streamed(sent) : sent;
  const text = answer.result?.content[0]?.text;
  if (text === undefined || answer.result?.isError === true) {
    throw new Error(`${path}: ${JSON.stringify(answer)}`);
  }
  return JSON.parse(text) as A;
};
