// The requests of the hooks. Node.js 18 is enough.
const { QM_KEY = "", QM_RUN_ID = "", QM_URL = "" } = process.env;

const base = (QM_URL || "http://127.0.0.1:7420").replace(/\/+$/, "");
const authorization = `Bearer ${QM_KEY}`;

/** Calls a tool as the worker of that run. Null if the agent has no such run. */
const call = async (name, runId) => {
  const response = await fetch(`${base}/mcp`, {
    method: "POST",
    redirect: "error",
    signal: AbortSignal.timeout(8_000),
    headers: {
      authorization,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
      "quartermaster-run": runId,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name,
        arguments: {},
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "quartermaster-hooks", version: "0.1.0" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  });
  if (response.status === 403) return null;
  return (await response.json()).result;
};

/**
 * The call renews the lease. Returns the run's issue while the run may continue, and the server's sentence
 * once it has to stop; neither if it was handed in or is not the agent's.
 */
export const renew = async (runId) => {
  const result = await call("whoami", runId);
  if (result === null) return {};
  if (result._meta?.["quartermaster/stop"]) {
    const text = result.content.at(-1).text.replace("[Quartermaster] ", "");
    return { stop: text.replace(/ (?:Call work_turn\b.*|Stop\.)$/, "") };
  }
  const { runs } = JSON.parse(result.content[0].text);
  return { issueId: runs.find((run) => run.runId === runId)?.issueId };
};

/** The turn tells the server that the session knows: the issue is free then. */
export const acknowledge = (runId) => call("work_turn", runId);

/** A GET, which renews nothing: the JSON, and the seconds from the server's clock to this one. */
export const get = async (path) => {
  const response = await fetch(`${base}/api/${path}`, {
    redirect: "error",
    signal: AbortSignal.timeout(4_000),
    headers: { authorization },
  });
  if (response.status === 403 || response.status === 404) return null;
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const clock = Math.floor(Date.now() / 1_000) - Date.parse(response.headers.get("date")) / 1_000;
  return { body: await response.json(), clock };
};

export const handedIn = "The run was handed in by another process.";

/**
 * How the run stands, without a renewal: until when its lease lasts by this machine's clock, and the sentence with which
 * it has to stop. Null if the agent has no such run, or if it was handed in, by whoever: under `quartermaster work` any
 * hand-in counts.
 */
export const stateOf = async (runId) => {
  const found = await get(`runs/${runId}`);
  if (found === null) return null;
  const { issueId, leaseExpiresAt, outcome, status, stopReason } = found.body;
  const until = Math.floor(Date.parse(leaseExpiresAt) / 1_000 + found.clock);
  if (status === "active") return { issueId, until };
  if (outcome !== null)
    return QM_RUN_ID ? null : { issueId, until, isHandedIn: true, stop: handedIn };
  const { stop } = await renew(runId);
  return { issueId, until, stop: stop ?? `The run ${runId} has ended (${stopReason}).` };
};
