// The differences of the hosts: Claude Code, Codex, Gemini CLI and opencode, whose plugin calls the hooks with
// Codex's forms.
import { readFileSync } from "node:fs";
import { open } from "./session-files.mjs";

export const host = process.argv[2];
export const input = JSON.parse(readFileSync(0, "utf8"));
export const session = open(String(input.session_id));

const own = {
  "claude-code": /^mcp__(?:plugin_quartermaster_)?quartermaster__(work_(?:next|turn|finish))$/,
  codex: /^mcp__quartermaster__(work_(?:next|turn|finish))$/,
  gemini: /^mcp_quartermaster_(work_(?:next|turn|finish))$/,
  opencode: /^quartermaster_(work_(?:next|turn|finish))$/,
}[host];

/**
 * The work tool of the service that was called: `quartermaster` is the name of its server in the host's configuration.
 * Tools of granted servers have their server's name before their own, so none of them matches.
 */
export const workTool = () => {
  const { mcp_context: context, tool_name: name = "" } = input;
  if (host === "gemini" && context?.server_name !== "quartermaster") return undefined;
  return own.exec(name)?.[1];
};

/** The JSON that a tool returned: hosts pass its text, or the blocks of its content, and Gemini CLI in an element. */
export const answer = () => {
  const response = input.tool_response;
  const blocks = response?.llmContent ?? response?.content ?? response;
  const block = Array.isArray(blocks) ? blocks[0] : blocks;
  const text = typeof block === "string" ? block : block.text;
  return JSON.parse(text.replace(/^<untrusted_context>|<\/untrusted_context>$/g, ""));
};

export const print = (output) => process.stdout.write(JSON.stringify(output));

/** Adds a text to what the model reads. */
export const tell = (additionalContext) =>
  print({ hookSpecificOutput: { hookEventName: input.hook_event_name, additionalContext } });

/** Ends the turn after a tool. */
export const stop = (sentence) => {
  const advice = "The run has ended: leave the issue as it is. work_next returns other work.";
  print({
    continue: false,
    stopReason: `Quartermaster: ${sentence}`,
    hookSpecificOutput: {
      hookEventName: input.hook_event_name,
      additionalContext: `${sentence} ${advice}`,
    },
  });
};

/** Lets the model go on with this text, instead of ending its turn. */
export const goOn = (reason) => print({ decision: host === "gemini" ? "deny" : "block", reason });
