import { type Event, fields, type Host, text, toolCall, toolResult } from "./Host.ts";
import { type HostUsage, usageOf } from "./HostUsage.ts";

/** Gemini CLI: `gemini --output-format stream-json`, recorded with 0.61.0. */

/**
 * The numbers of this process by model; a continued session starts again with 0. `input_tokens` includes the cached
 * tokens, `input` does not. Thoughts are only in `total_tokens`. There is no cost.
 */
const usage = (event: Event): ReadonlyArray<HostUsage> =>
  Object.entries(fields(fields(event["stats"])["models"])).map(([model, value], index) => {
    const numbers = fields(value);
    const of = (name: string) => (typeof numbers[name] === "number" ? numbers[name] : 0);
    const [input, output] = [of("input_tokens"), of("output_tokens")];
    return usageOf(`${text(event["timestamp"]) ?? "result"}-${index}`, model, {
      input: input - of("cached"),
      cacheRead: of("cached"),
      output,
      reasoning: of("total_tokens") - input - output,
    });
  });

export const make = (): Host => {
  // The parts of the message that is being written.
  let message = "";
  return {
    program: "gemini",
    args: (_, session, own) => [
      "--output-format",
      "stream-json",
      ...(session === null ? [] : ["--resume", session]),
      ...own,
    ],
    // The extension reads QM_URL, QM_KEY and QM_RUN_ID. No argument or variable of Gemini CLI adds a server: it
    // reads the files of settings that variables name only if they and all their folders belong to root.
    environment: () => ({}),
    requirement: {
      args: ["extensions", "list"],
      installed: /^\W*quartermaster \(.*(?:\n .*)*?\n +Enabled \(Workspace\): true/m,
      advice:
        "Gemini CLI needs the extension quartermaster to reach /mcp. Run `gemini extensions link plugins/gemini` in a clone of Quartermaster, as the same user.",
    },
    refusal: /Error resuming session/,
    read: (event) => {
      if (event["type"] === "message") {
        if (event["role"] !== "assistant") return {};
        message = (event["delta"] === true ? message : "") + (text(event["content"]) ?? "");
        return { log: text(event["content"]), answer: message };
      }
      message = "";
      switch (event["type"]) {
        case "init":
          return { session: text(event["session_id"]) };
        case "tool_use":
          return { log: toolCall(event["tool_name"], event["parameters"]) };
        case "tool_result": {
          const error = fields(event["error"])["message"];
          return { log: toolResult(error ?? event["output"], event["status"] === "error") };
        }
        case "error":
          return { log: text(event["message"]) };
        case "result":
          return { failure: text(fields(event["error"])["message"]), usage: usage(event) };
        default:
          return {};
      }
    },
  };
};
