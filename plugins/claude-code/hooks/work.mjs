// The hooks of the plugin. Each is called with what to do and gets Claude Code's JSON on stdin:
//
//   note    after work_next, work_turn and work_finish: notes the run that the session holds
//   renew   after any tool, every 30 seconds: renews the run's lease, and stops Claude Code if the run was
//           told to stop
//   remind  when Claude Code wants to stop: reminds it once to hand the run in
//
// The session's run is the one that its own calls returned, or QM_RUN_ID under `quartermaster work`. It is
// never guessed from the agent's runs: another session of the same agent may hold those.
//
// Node.js 18 is enough. Without a server the hooks do nothing; start.sh hides their failures.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const everySeconds = 30;

/** Longer than any lease. */
const forgottenAfterMillis = 2 * 86_400_000;

const { QM_KEY = "", QM_RUN_ID = "", QM_URL = "", XDG_CACHE_HOME = "" } = process.env;

const todo = process.argv[2];
const input = JSON.parse(readFileSync(0, "utf8"));

const cache = join(XDG_CACHE_HOME || join(homedir(), ".cache"), "quartermaster", "claude-code");
const file = join(cache, String(input.session_id).replace(/[^\w-]/g, "_"));

/**
 * A tool of the service: `quartermaster` is its name in the plugin's .mcp.json, or in a .mcp.json of the user. Tools of
 * granted servers have their server's name before their own, so none of them matches.
 */
const isOwn = /^mcp__(?:plugin_quartermaster_)?quartermaster__(work_(?:next|turn|finish))$/;

const now = () => Math.floor(Date.now() / 1_000);

const read = () => {
  try {
    const [renewed, runId] = readFileSync(file, "utf8").trim().split(" ");
    return { renewed: Number(renewed), runId: runId === "-" ? null : runId };
  } catch {
    return { renewed: 0, runId: QM_RUN_ID || null };
  }
};

/** Stores the session's run, null if it holds none; only this user can read it. */
const write = (runId, renewed = now()) => {
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  writeFileSync(file, `${renewed} ${runId ?? "-"}\n`, { mode: 0o600 });
};

/** Removes the files of sessions that cannot hold a run any more. */
const forget = () => {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (statSync(path).mtimeMs < Date.now() - forgottenAfterMillis) rmSync(path);
  }
};

/** Calls a tool as the worker of that run. Null if the agent has no such run. */
const call = async (name, runId) => {
  const url = `${(QM_URL || "http://127.0.0.1:7420").replace(/\/+$/, "")}/mcp`;
  const response = await fetch(url, {
    method: "POST",
    redirect: "error",
    signal: AbortSignal.timeout(8_000),
    headers: {
      authorization: `Bearer ${QM_KEY}`,
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
          "io.modelcontextprotocol/clientInfo": { name: "claude-code-plugin", version: "0.1.0" },
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
 * once it has to stop; neither if it has ended.
 */
const renew = async (runId) => {
  const result = await call("whoami", runId);
  if (result === null) return {};
  if (result._meta?.["quartermaster/stop"]) {
    return {
      stop: result.content
        .at(-1)
        .text.replace("[Quartermaster] ", "")
        .replace(" Call work_turn.", ""),
    };
  }
  const { runs } = JSON.parse(result.content[0].text);
  return { issueId: runs.find((run) => run.runId === runId)?.issueId };
};

/** The turn tells the server that the session knows: the issue is free then. */
const acknowledge = async (runId) => {
  await call("work_turn", runId);
  write(null);
};

/** The JSON that a tool returned: Claude Code passes its text, or the blocks of its content. */
const answerOf = (response) => {
  const blocks = Array.isArray(response) ? response : (response?.content ?? response);
  return JSON.parse(Array.isArray(blocks) ? blocks[0].text : blocks);
};

const note = () => {
  const [, tool] = isOwn.exec(input.tool_name) ?? [];
  if (tool === undefined) return;
  const answer = answerOf(input.tool_response);
  if (tool === "work_next") {
    if (answer.run) write(answer.run.runId);
    else if (answer.reason !== "busy") write(null);
    forget();
  } else if (tool === "work_finish" || answer.action === "stop") {
    write(null);
  } else {
    const runId = input.tool_input?.runId ?? read().runId;
    if (runId !== null) write(runId);
  }
};

const afterTool = async () => {
  // `note` has its answer.
  if (isOwn.test(input.tool_name)) return;
  const { renewed, runId } = read();
  if (runId === null || now() - renewed < everySeconds) return;
  // Before the request: calls of tools at the same time send one.
  write(runId);
  const { issueId, stop } = await renew(runId);
  if (stop !== undefined) {
    // A subagent stops at once, and the main thread after its next tool.
    if (input.agent_id === undefined) await acknowledge(runId);
    else write(runId, 0);
    const additionalContext = `${stop} The run has ended: leave the issue as it is. work_next returns other work.`;
    return {
      continue: false,
      stopReason: `Quartermaster: ${stop}`,
      hookSpecificOutput: { hookEventName: input.hook_event_name, additionalContext },
    };
  }
  if (issueId === undefined) write(null);
};

const remind = async () => {
  const { runId } = read();
  // Claude Code has been reminded, or goes on when its background work is done.
  if (runId === null || input.stop_hook_active || input.background_tasks?.length > 0) return;
  const { issueId, stop } = await renew(runId);
  if (stop !== undefined) return acknowledge(runId);
  if (issueId === undefined) return write(null);
  write(runId);
  return {
    decision: "block",
    reason:
      `You still hold the issue ${issueId}. Hand it in with work_finish: review, resolved, released or ` +
      "failed. If you wait for your user instead, say so and stop.",
  };
};

const output = await { note, renew: afterTool, remind }[todo]();
if (output !== undefined) process.stdout.write(JSON.stringify(output));
