// A model that follows a script, behind the APIs that hosts call: hosts run with it without an
// account.
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const event = (type, data) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

/** The API that Claude Code calls. A step is a text, or a tool and its arguments; `tokens` is the size of its request. */
export const messages = {
  path: "/v1/messages",
  env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "none" }),
  last: (asked) => asked.messages.at(-1),
  reply: ({ args = {}, say, tokens = 1, tool }, id) => {
    const isCall = tool !== undefined;
    const usage = { input_tokens: tokens, output_tokens: 1 };
    const message = {
      id,
      type: "message",
      role: "assistant",
      model: "scripted",
      content: [],
      usage,
    };
    const block = isCall
      ? { type: "tool_use", id, name: tool, input: {} }
      : { type: "text", text: "" };
    const delta = isCall
      ? { type: "input_json_delta", partial_json: JSON.stringify(args) }
      : { type: "text_delta", text: say };
    return [
      event("message_start", { message: { ...message, stop_reason: null, stop_sequence: null } }),
      event("content_block_start", { index: 0, content_block: block }),
      event("content_block_delta", { index: 0, delta }),
      event("content_block_stop", { index: 0 }),
      event("message_delta", {
        delta: { stop_reason: isCall ? "tool_use" : "end_turn", stop_sequence: null },
        usage,
      }),
      event("message_stop", {}),
    ].join("");
  },
};

/** The API that Codex calls. A tool without `own` is one of Codex. */
export const responses = {
  path: "/v1/responses",
  last: (asked) => asked.input.at(-1),
  reply: ({ args = {}, own = true, say, tokens = 1, tool }, id) => {
    const call = {
      type: "function_call",
      call_id: id,
      ...(own && { namespace: "mcp__quartermaster" }),
      name: tool,
      arguments: JSON.stringify(args),
    };
    const message = {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: say, annotations: [] }],
    };
    const usage = { input_tokens: tokens, output_tokens: 1, total_tokens: tokens + 1 };
    return [
      event("response.created", { response: { id } }),
      event("response.output_item.done", {
        item: { id, ...(tool === undefined ? message : call) },
      }),
      event("response.completed", { response: { id, usage } }),
    ].join("");
  },
};

/** The API that Gemini CLI calls. */
export const contents = {
  path: "/v1beta/models/scripted:streamGenerateContent",
  env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "none" }),
  last: (asked) => asked.contents.at(-1),
  reply: ({ args = {}, say, tool }) => {
    const part = tool === undefined ? { text: say } : { functionCall: { name: tool, args } };
    const candidate = { content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    return `data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\n\n`;
  },
};

/**
 * Serves the model while the body runs with its URL. `decide` returns the next step for a request with tools. Requests
 * without tools are for titles and similar texts.
 */
export const withDeciding = async ({ path, reply }, decide, body) => {
  let taken = 0;
  const server = createServer(async (request, response) => {
    const asked = JSON.parse((await text(request)) || "{}");
    if (request.method !== "POST" || request.url.split("?")[0] !== path) {
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
      return;
    }
    const isAside = !(asked.tools?.length > 0);
    if (!isAside) taken += 1;
    const id = `step_${taken}`;
    const next = (isAside ? undefined : await decide(asked)) ?? { say: "Done." };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(reply(next, id));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await body(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

/**
 * Serves a model that follows steps. Each is a function of the last message and of the whole request, as JSON, that the
 * host sent. Returns the number of requested steps.
 */
export const withModel = async (api, steps, body) => {
  let taken = 0;
  const decide = (asked) => {
    const step = steps[taken];
    taken += 1;
    return step?.(JSON.stringify(api.last(asked)), JSON.stringify(asked));
  };
  await withDeciding(api, decide, body);
  return taken;
};
