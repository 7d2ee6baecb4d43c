import { assert } from "@effect/vitest";
import * as Agent from "./Agent.ts";
import { type Answer, request } from "./Client.ts";
import type * as World from "./World.ts";

/** Calls of the tool `test-tool__add` as effects, by each road. */

const name = "test-tool__add";

export interface Sent {
  readonly runId: string;
  readonly args?: Record<string, unknown>;
  /** The caller's name of the effect. */
  readonly effect?: string;
}

export interface Result {
  readonly content: ReadonlyArray<{ readonly text: string }>;
  readonly isError?: boolean;
  readonly _meta?: { readonly "quartermaster/replayed"?: { readonly callId: string } };
}

export type Road = (
  world: World.World,
  sent: Sent,
) => Promise<{
  readonly path: string;
  readonly body: object;
  readonly headers: Record<string, string>;
}>;

const metaOf = ({ effect, runId }: Sent) => ({
  "quartermaster/run": runId,
  ...(effect === undefined ? {} : { "quartermaster/effect": effect }),
});

const rest: Road = async (_, { args = {}, effect, runId }) => ({
  path: "/api/agents/bot/tools/call",
  body: { name, arguments: args, runId },
  headers: effect === undefined ? {} : { "idempotency-key": effect },
});

const current =
  (meta: object): Road =>
  async (_, sent) => {
    const { body, headers } = Agent.stateless("tools/call", { name, arguments: sent.args ?? {} });
    Object.assign(body.params._meta, metaOf(sent), meta);
    return { path: "/mcp", body, headers: { ...headers, "mcp-name": name } };
  };

const legacy =
  (meta: object): Road =>
  async (world, sent) => {
    const { headers } = await world.post(Agent.initialize);
    const _meta = { ...metaOf(sent), ...meta };
    const params = { name, arguments: sent.args ?? {}, _meta };
    return {
      path: "/mcp",
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
      headers: {
        accept: Agent.accept,
        "mcp-session-id": headers.get("mcp-session-id") ?? "",
      },
    };
  };

/** The progress token makes the SDK stream the result. */
export const roads: Readonly<Record<string, Road>> = {
  REST: rest,
  "2026-07-28": current({}),
  "2026-07-28 with progress": current({ progressToken: 7 }),
  "2025-11-25": legacy({}),
  "2025-11-25 with progress": legacy({ progressToken: 7 }),
};

/** Starts a call: the response whose body is not read yet. */
export const start = async (world: World.World, road: string, sent: Sent): Promise<Response> => {
  const { body, headers, path } = await roads[road]!(world, sent);
  return request(world, "POST", path, { key: world.agent.key, body, headers });
};

/** Sends a call, and reads its response. */
export const send = async (world: World.World, road: string, sent: Sent) => {
  const response = await start(world, road, sent);
  const text = await response.text();
  const json = response.headers.get("content-type")?.startsWith("text/event-stream")
    ? (/^data: (.*)$/m.exec(text)?.[1] ?? "")
    : text;
  return { status: response.status, body: JSON.parse(json) };
};

/** The result of a call. */
export const call = async (world: World.World, road: string, sent: Sent): Promise<Result> => {
  const { body, status } = await send(world, road, sent);
  assert.strictEqual(status, 200, JSON.stringify(body));
  return body.result ?? body;
};

export const textOf = ({ content }: Result) => content[0]?.text ?? "";

export const replayOf = ({ _meta }: Result) => _meta?.["quartermaster/replayed"];

/** A run of `bot`, and its issue. */
export const running = async (world: World.World) => {
  const { issueId, runId } = await world.running("bot");
  const at = (rest = "") => `/api/projects/issues/${issueId}/effects${rest}`;
  return {
    issueId,
    runId,
    /** The effects of the issue, newest first. */
    effects: async (): Promise<Answer["body"]> => (await world.call("GET", at())).body,
    settle: (callId: string, body: object, key = world.keys.editor.key) =>
      world.as(key)("POST", at(`/${callId}/settle`), {
        body,
        headers: key === world.agent.key ? { "quartermaster-run": runId } : {},
      }),
    reset: (key = world.keys.editor.key) => world.as(key)("POST", at("/reset"), { body: {} }),
  };
};
