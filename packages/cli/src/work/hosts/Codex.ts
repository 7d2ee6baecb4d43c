import { type Event, fields, type Host, type Reading, text, toolCall, toolResult } from "./Host.ts";
import { type HostUsage, modelIn, usageOf } from "./HostUsage.ts";

/** Codex: `codex exec --json`, recorded with 0.169.0. */

const started = (item: Event): Reading => {
  if (item["type"] === "command_execution") return { log: toolCall("shell", item["command"]) };
  if (item["type"] === "mcp_tool_call") return { log: toolCall(item["tool"], item["arguments"]) };
  return {};
};

const completed = (item: Event): Reading => {
  const isError = item["status"] === "failed";
  switch (item["type"]) {
    case "agent_message":
      return { log: text(item["text"]), answer: text(item["text"]) };
    case "command_execution":
      return { log: toolResult(item["aggregated_output"], isError) };
    case "mcp_tool_call":
      return { log: toolResult(item["error"] ?? item["result"], isError) };
    case "file_change":
      return { log: toolCall("file_change", item["changes"]) };
    case "error":
      return { log: text(item["message"]) };
    default:
      return {};
  }
};

/**
 * The totals of the thread since its start, also after `resume`. Input includes the cached tokens, and
 * output includes reasoning. The stream names neither the model nor the number of requests, and no cost.
 */
const usage = (event: Event, model: string): ReadonlyArray<HostUsage> => {
  const numbers = fields(event["usage"]);
  const of = (name: string) => (typeof numbers[name] === "number" ? numbers[name] : 0);
  const cacheRead = of("cached_input_tokens");
  const cacheWrite = of("cache_write_input_tokens");
  const reasoning = of("reasoning_output_tokens");
  const [input, output] = [of("input_tokens"), of("output_tokens")];
  if (input === 0 && output === 0) return [];
  return [
    usageOf(
      `thread-${input}-${output}`,
      model,
      {
        input: input - cacheRead - cacheWrite,
        output: output - reasoning,
        cacheRead,
        cacheWrite,
        reasoning,
      },
      true,
    ),
  ];
};

export const make = (own: ReadonlyArray<string>): Host => ({
  program: "codex",
  args: ({ runId, url }, session, own) => {
    const server = {
      url: `${url}/mcp`,
      bearer_token_env_var: "QM_KEY",
      tool_timeout_sec: 600,
      "http_headers.Quartermaster-Run": runId,
    };
    const settings = Object.entries(server).flatMap(([name, value]) => [
      "-c",
      `mcp_servers.quartermaster.${name}=${JSON.stringify(value)}`,
    ]);
    const resume = session === null ? [] : ["resume", session];
    return ["exec", "--json", ...settings, ...own, ...resume, "-"];
  },
  environment: () => ({}),
  requirement: null,
  refusal: /thread\/resume failed/,
  read: (event) => {
    switch (event["type"]) {
      case "thread.started":
        return { session: text(event["thread_id"]) };
      case "item.started":
        return started(fields(event["item"]));
      case "item.completed":
        return completed(fields(event["item"]));
      case "error":
        return { log: text(event["message"]) };
      case "turn.completed":
        return { usage: usage(event, modelIn(own) ?? "codex") };
      case "turn.failed":
        return { failure: text(fields(event["error"])["message"]) };
      default:
        return {};
    }
  },
});
