// An agent that works on its issues through /mcp, with the requests that hosts send, and the
// duration of each call.

const version = "2025-11-25";

/** Opens a session of the key's agent. */
export const connect = async (url, key) => {
  let requests = 0;
  let session = {};
  const ask = async (method, params) => {
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        ...session,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++requests, method, params }),
      signal: AbortSignal.timeout(120_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method}: ${response.status} ${text}`);
    const id = response.headers.get("mcp-session-id");
    if (id !== null) session = { "mcp-session-id": id, "mcp-protocol-version": version };
    const [, data = text] = /^data: ({.*)$/m.exec(text) ?? [];
    const { error, result } = JSON.parse(data);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  await ask("initialize", {
    protocolVersion: version,
    capabilities: {},
    clientInfo: { name: "ci", version: "1" },
  });

  /** Lists the definitions on all pages. */
  const tools = async () => {
    const all = [];
    let cursor;
    do {
      const page = await ask("tools/list", cursor === undefined ? {} : { cursor });
      all.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return all;
  };

  const call = (name, args = {}) => ask("tools/call", { name, arguments: args });
  return { call, tools };
};

/** The result of a tool of the service. Throws for an error. */
const answerOf = ({ content, isError }) => {
  const [{ text }] = content;
  if (isError) throw new Error(text);
  return JSON.parse(text);
};

/**
 * Works on one issue, from its claim to its hand-in, and makes these tool calls (name and
 * arguments) in between. Returns the milliseconds of each request and the results of the calls.
 */
export const work = async (agent, calls) => {
  const times = [];
  const call = async (name, args) => {
    const began = performance.now();
    const result = await agent.call(name, args);
    times.push(performance.now() - began);
    return result;
  };
  const { issue, run } = answerOf(await call("work_next", {}));
  if (run === null) throw new Error("There is no issue to pick up.");
  answerOf(await call("issue_comment", { issueId: issue.id, content: "Started." }));
  const results = [];
  for (const [name, args] of calls) results.push(await call(name, args));
  const { action } = answerOf(await call("work_turn", {}));
  if (action !== "continue") throw new Error(`The turn says ${action}.`);
  answerOf(await call("work_finish", { outcome: "resolved", comment: "Done." }));
  return { times, results };
};

/** The value below which this share of the numbers lies. */
export const quantile = (numbers, share) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)];
