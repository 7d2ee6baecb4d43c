// A model without a network: it calls one tool and repeats its result. Replace it with a model from
// a provider's package.
import { MockLanguageModelV4 } from "ai/test";

const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
const usage = { inputTokens: tokens, outputTokens: { total: 1, text: 1, reasoning: 0 } };

export const scripted = (toolName: string, input: Readonly<Record<string, unknown>>) =>
  new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const last = prompt.at(-1);
      if (last?.role !== "tool") {
        return {
          content: [{ type: "tool-call", toolCallId: "1", toolName, input: JSON.stringify(input) }],
          finishReason: { unified: "tool-calls", raw: undefined },
          usage,
          warnings: [],
        };
      }
      const said = JSON.stringify(last.content);
      return {
        content: [{ type: "text", text: /Echo: [^"\\]*/.exec(said)?.[0] ?? said }],
        finishReason: { unified: "stop", raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
