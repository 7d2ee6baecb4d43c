import { type Host, type Event, fields, list, text, toolCall, toolResult } from "./Host.ts";
import { type HostUsage, usageOf } from "./HostUsage.ts";

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

/**
 * `model_usage_since_last_result` has the numbers by model since the previous result, or the start, of this process, also in
 * a continued session. `modelUsage` has the totals of the process: earlier versions print only it, with
 * one result. Input excludes caches, and output includes thinking.
 */
const usage = (event: Event): ReadonlyArray<HostUsage> => {
  const models = Object.entries(
    fields(event["model_usage_since_last_result"] ?? event["modelUsage"]),
  );
  return models.map(([model, value], index) => {
    const numbers = fields(value);
    const thinking = typeof numbers["thinkingTokens"] === "number" ? numbers["thinkingTokens"] : 0;
    return usageOf(`${text(event["uuid"]) ?? text(event["session_id"])}-${index}`, model, {
      input: numbers["inputTokens"],
      output: Number(numbers["outputTokens"]) - thinking,
      reasoning: thinking,
      cacheRead: numbers["cacheReadInputTokens"],
      cacheWrite: numbers["cacheCreationInputTokens"],
      cost: numbers["costUSD"],
      // The turns of subagents are not among them.
      requests: models.length === 1 ? event["num_turns"] : undefined,
    });
  });
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
  requirement: null,
  refusal: /No conversation found with session ID/,
  read: (event) => {
    const session = text(event["session_id"]);
    if (event["type"] === "assistant" || event["type"] === "user") {
      const log = blocks(event).flatMap((block) => ofBlock(block) ?? []);
      return { session, log: log.join("\n") };
    }
    if (event["type"] !== "result") return { session };
    const answer = text(event["result"]);
    if (event["is_error"] !== true) return { session, answer, usage: usage(event) };
    const errors = Array.isArray(event["errors"]) ? event["errors"].join("\n") : "";
    return {
      session,
      usage: usage(event),
      failure: answer ?? (text(errors) || text(event["subtype"])),
    };
  },
};
