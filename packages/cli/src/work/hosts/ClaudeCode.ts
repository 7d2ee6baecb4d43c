import { type Host, type Event, fields, list, text, toolCall, toolResult } from "./Host.ts";

/** Claude Code: `claude -p --output-format stream-json`, recorded with 2.1.330. */

const blocks = (event: Event) => list(fields(event["message"])["content"]);

const ofBlock = (block: Event): string | undefined => {
  if (block["type"] === "text") return text(block["text"]);
  if (block["type"] === "tool_use") return toolCall(block["name"], block["input"]);
  if (block["type"] === "tool_result") {
    return toolResult(block["content"], block["is_error"] === true);
  }
  return undefined;
};

export const host: Host = {
  program: "claude",
  args: ({ mcpConfig }, session, own) => [
    "-p",
    "--mcp-config",
    mcpConfig,
    "--output-format",
    "stream-json",
    "--verbose",
    ...(session === null ? [] : ["--resume", session]),
    ...own,
  ],
  environment: () => ({}),
  settings: null,
  refusal: /No conversation found with session ID/,
  read: (event) => {
    const session = text(event["session_id"]);
    if (event["type"] === "assistant" || event["type"] === "user") {
      const log = blocks(event).flatMap((block) => ofBlock(block) ?? []);
      return { session, log: log.join("\n") };
    }
    if (event["type"] !== "result") return { session };
    const answer = text(event["result"]);
    if (event["is_error"] !== true) return { session, answer };
    const errors = Array.isArray(event["errors"]) ? event["errors"].join("\n") : "";
    return { session, failure: answer ?? (text(errors) || text(event["subtype"])) };
  },
};
