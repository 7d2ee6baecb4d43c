import { fields, type Host, text, toolCall, toolResult } from "./Host.ts";

/** opencode: `opencode run --format json`, recorded with 1.18.33. */

export const host: Host = {
  program: "opencode",
  args: (_, session, own) => [
    "run",
    "--format",
    "json",
    ...(session === null ? [] : ["--session", session]),
    ...own,
  ],
  environment: ({ runId, url }) => ({
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      mcp: {
        quartermaster: {
          type: "remote",
          url: `${url}/mcp`,
          headers: { Authorization: "Bearer {env:QM_KEY}", "Quartermaster-Run": runId },
        },
      },
    }),
  }),
  settings: null,
  refusal: /Session not found/,
  read: (event) => {
    const session = text(event["sessionID"]);
    const part = fields(event["part"]);
    if (event["type"] === "text") {
      return { session, log: text(part["text"]), answer: text(part["text"]) };
    }
    if (event["type"] === "tool_use") {
      const state = fields(part["state"]);
      const result = toolResult(state["error"] ?? state["output"], state["status"] === "error");
      return { session, log: `${toolCall(part["tool"], state["input"])}\n${result}` };
    }
    if (event["type"] !== "error") return { session };
    const error = fields(event["error"]);
    return { session, failure: text(fields(error["data"])["message"]) ?? text(error["name"]) };
  },
};
