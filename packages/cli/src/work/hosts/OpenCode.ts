import { type Event, fields, type Host, text, toolCall, toolResult } from "./Host.ts";
import { type HostUsage, modelIn, usageOf } from "./HostUsage.ts";

/** opencode: `opencode run --format json`, recorded with 1.18.33. */

/**
 * The numbers of one step, which is one request. Input excludes caches, and output excludes reasoning. The stream does
 * not name the model. The cost is 0 for a model without a price.
 */
const usage = (part: Event, model: string): ReadonlyArray<HostUsage> => {
  const tokens = fields(part["tokens"]);
  const cache = fields(tokens["cache"]);
  const id = text(part["id"]);
  if (id === undefined) return [];
  return [
    usageOf(id, model, {
      input: tokens["input"],
      output: tokens["output"],
      reasoning: tokens["reasoning"],
      cacheRead: cache["read"],
      cacheWrite: cache["write"],
      cost: part["cost"] === 0 ? undefined : part["cost"],
    }),
  ];
};

export const make = (own: ReadonlyArray<string>): Host => ({
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
          oauth: false,
          timeout: 600_000,
        },
      },
    }),
  }),
  requirement: null,
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
    if (event["type"] === "step_finish") {
      return { session, usage: usage(part, modelIn(own) ?? "opencode") };
    }
    if (event["type"] !== "error") return { session };
    const error = fields(event["error"]);
    return { session, failure: text(fields(error["data"])["message"]) ?? text(error["name"]) };
  },
});
