// The hooks for opencode, which has no commands as hooks: this plugin calls the hooks of ../claude-code/hooks with the
// same JSON as other hosts.
import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(realpathSync(fileURLToPath(import.meta.url)));
const program = join(here, "../claude-code/hooks/hook.sh");
const env = { ...process.env, QM_HOST_PID: String(process.pid) };

/** Runs the hook and returns its output; an empty object if it printed nothing. */
const hook = (event, input) =>
  new Promise((resolve) => {
    const child = spawn("sh", [program, event, "opencode"], { env, timeout: 10_000 });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stdin.on("error", () => {});
    child.on("error", () => resolve({}));
    child.on("close", () => resolve(output === "" ? {} : JSON.parse(output)));
    child.stdin.end(JSON.stringify(input));
  });

export const Quartermaster = async ({ client }) => {
  /** Sessions of subagents, with the session that started each. */
  const parents = new Map();
  /** Sessions that this process has seen, with the text for their next prompt. */
  const texts = new Map();
  /** Sessions whose model was reminded since its last tool. */
  const reminded = new Set();

  const root = (id) => (parents.has(id) ? root(parents.get(id)) : id);
  const brief = async (id, source) => {
    const input = { session_id: id, hook_event_name: "SessionStart", source };
    return (await hook("session", input)).hookSpecificOutput?.additionalContext;
  };

  return {
    event: async ({ event: { properties, type } }) => {
      if (type === "session.created" && properties.info.parentID) {
        parents.set(properties.info.id, properties.info.parentID);
      }
      if (type === "session.deleted") await hook("end", { session_id: properties.info.id });
      if (type !== "session.idle" || parents.has(properties.sessionID)) return;
      const id = properties.sessionID;
      const input = { session_id: id, hook_event_name: "Stop", stop_hook_active: reminded.has(id) };
      const { reason } = await hook("stop", input);
      if (reason === undefined) return;
      reminded.add(id);
      await client.session.promptAsync({
        path: { id },
        body: { parts: [{ type: "text", text: reason }] },
      });
    },
    "chat.message": async ({ sessionID }) => {
      if (!parents.has(sessionID) && !texts.has(sessionID)) {
        texts.set(sessionID, await brief(sessionID, "resume"));
      }
    },
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      const text = texts.get(sessionID);
      if (text !== undefined) system.push(text);
    },
    "experimental.session.compacting": async ({ sessionID }, { context }) => {
      const text = await brief(root(sessionID), "compact");
      if (text === undefined) return;
      // The summary may leave it out.
      texts.set(root(sessionID), text);
      context.push(text);
    },
    "tool.execute.before": async ({ sessionID, tool }, { args }) => {
      const id = root(sessionID);
      const input = {
        session_id: id,
        hook_event_name: "PreToolUse",
        tool_name: tool,
        tool_input: args,
      };
      const { hookSpecificOutput } = await hook("before", input);
      if (hookSpecificOutput !== undefined)
        throw new Error(hookSpecificOutput.permissionDecisionReason);
    },
    "tool.execute.after": async ({ args, sessionID, tool }, output) => {
      const id = root(sessionID);
      reminded.delete(id);
      texts.set(id, undefined);
      const input = {
        session_id: id,
        hook_event_name: "PostToolUse",
        tool_name: tool,
        tool_input: args,
        tool_response: output?.content ?? output?.output ?? "",
      };
      const { hookSpecificOutput } = await hook("after", input);
      if (hookSpecificOutput === undefined) return;
      const text = hookSpecificOutput.additionalContext;
      if (Array.isArray(output.content)) output.content.push({ type: "text", text });
      else output.output += `\n\n${text}`;
    },
  };
};
