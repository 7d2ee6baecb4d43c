import type { Random } from "../Random.ts";

/** The ways to call a granted tool or to read a granted resource for a run. */

export interface Seat {
  readonly agentId: string;
  readonly key: string;
  /** The name of the process, which keeps it across the runs. */
  readonly worker: string;
}

export interface Step {
  readonly tool: "pay" | "note";
  readonly run: string;
  readonly issue: string;
  readonly step: number;
  readonly ms: number;
}

export interface Reply {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- the bodies of several APIs
  readonly body: any;
}

/** The object of a JSON body, or of the last message of an event stream: calls that take long have one. */
const parse = (text: string) => {
  const [, message] = /.*^data: ?(.*)$/ms.exec(text.trimEnd()) ?? [];
  const json = message ?? text;
  return json === "" ? null : JSON.parse(json);
};

/** Sends a request. The reply has status 0 if the server is away, or the signal aborted it. */
export const send = async (
  url: string,
  key: string,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
  signal: AbortSignal | null = null,
): Promise<Reply> => {
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      signal,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: parse(text) };
  } catch {
    return { status: 0, body: null };
  }
};

const accept = "application/json, text/event-stream";

/** A request of the current protocol version. */
export const mcp = (
  url: string,
  key: string,
  method: string,
  params: { readonly name?: string; readonly uri?: string; readonly arguments?: object },
  headers: Readonly<Record<string, string>>,
  meta: Readonly<Record<string, unknown>> = {},
  signal: AbortSignal | null = null,
): Promise<Reply> => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "demo", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
    ...meta,
  };
  return send(
    url,
    key,
    "POST",
    "/mcp",
    { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } },
    {
      accept,
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      "mcp-name": params.name ?? params.uri ?? "",
      ...headers,
    },
    signal,
  );
};

/** A request of the legacy protocol version without a session. */
const legacy = (
  url: string,
  key: string,
  params: object,
  headers: Readonly<Record<string, string>>,
) =>
  send(
    url,
    key,
    "POST",
    "/mcp",
    { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    { accept, "mcp-protocol-version": "2025-11-25", ...headers },
  );

type Road = (url: string, seat: Seat, step: Step) => Promise<Reply>;

const argumentsOf = ({ issue, ms, run, step }: Step) => ({ run, issue, step, ms });
/** The arguments of a call that names no run: the service acts for the run that its worker holds by then. */
const unnamed = (step: Step) => ({ ...argumentsOf(step), run: "" });
const nameOf = ({ tool }: Step) => `ledger__${tool}`;
const pathOf = ({ agentId }: Seat) => `/api/agents/${agentId}/tools/call`;
const runHeader = ({ run }: Step) => ({ "quartermaster-run": run });
const workerHeader = ({ worker }: Seat) => ({ "quartermaster-worker": worker });

const roads: Readonly<Record<string, Road>> = {
  restHeader: (url, seat, step) => {
    const body = { name: nameOf(step), arguments: argumentsOf(step) };
    return send(url, seat.key, "POST", pathOf(seat), body, runHeader(step));
  },
  restBody: (url, seat, step) => {
    const body = { name: nameOf(step), arguments: argumentsOf(step), runId: step.run };
    return send(url, seat.key, "POST", pathOf(seat), body);
  },
  mcpHeader: (url, seat, step) => {
    const params = { name: nameOf(step), arguments: argumentsOf(step) };
    return mcp(url, seat.key, "tools/call", params, runHeader(step));
  },
  mcpMeta: (url, seat, step) => {
    const params = { name: nameOf(step), arguments: argumentsOf(step) };
    return mcp(url, seat.key, "tools/call", params, {}, { "quartermaster/run": step.run });
  },
  mcpWorker: (url, seat, step) => {
    const params = { name: nameOf(step), arguments: unnamed(step) };
    return mcp(url, seat.key, "tools/call", params, workerHeader(seat));
  },
  mcpLegacy: (url, seat, step) =>
    legacy(
      url,
      seat.key,
      { name: nameOf(step), arguments: argumentsOf(step) },
      { ...runHeader(step), ...workerHeader(seat) },
    ),
  callTool: (url, seat, step) => {
    const args = { name: nameOf(step), arguments: unnamed(step) };
    const params = { name: "call_tool", arguments: args };
    return mcp(url, seat.key, "tools/call", params, workerHeader(seat));
  },
  resource: (url, seat, step) => {
    const query = `run=${step.run}&issue=${step.issue}&step=${step.step}&ms=${step.ms}`;
    const params = { uri: `qm+ledger+ledger://pages?${query}` };
    return mcp(url, seat.key, "resources/read", params, runHeader(step));
  },
};

export const names = Object.keys(roads);

/** Sends the step by a random road. A payment is a tool, so no resource is read for it. */
export const take = (url: string, seat: Seat, step: Step, random: Random): Promise<Reply> => {
  const permitted = step.tool === "pay" ? names.filter((name) => name !== "resource") : names;
  const road = roads[random.pick(permitted) ?? ""];
  return road === undefined ? Promise.reject(new Error("no road")) : road(url, seat, step);
};
