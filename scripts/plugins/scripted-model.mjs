// A model that follows a script, behind the API that Claude Code calls: hosts run with it without an account.
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const event = (type, data) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

const usage = { input_tokens: 1, output_tokens: 1 };

/** One reply of the model, streamed: a text, or a call of a tool. */
const reply = (block, id) => {
  const isCall = block.type === "tool_use";
  const start = isCall ? { ...block, id, input: {} } : { type: "text", text: "" };
  const delta = isCall
    ? { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
    : { type: "text_delta", text: block.text };
  const message = { id: `msg_${id}`, type: "message", role: "assistant", model: "scripted" };
  return [
    event("message_start", {
      message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage },
    }),
    event("content_block_start", { index: 0, content_block: start }),
    event("content_block_delta", { index: 0, delta }),
    event("content_block_stop", { index: 0 }),
    event("message_delta", {
      delta: { stop_reason: isCall ? "tool_use" : "end_turn", stop_sequence: null },
      usage,
    }),
    event("message_stop", {}),
  ].join("");
};

/**
 * Serves the model while the body runs. `next` gets each request that offers tools, and returns the block that
 * the model says: `{ type: "text", text }` or `{ type: "tool_use", name, input }`.
 */
export const withModel = async (next, body) => {
  let calls = 0;
  const server = createServer(async (request, response) => {
    const asked = JSON.parse((await text(request)) || "{}");
    if (!request.url.startsWith("/v1/messages") || request.url.includes("count_tokens")) {
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
      return;
    }
    const block = asked.tools?.length > 0 ? await next(asked) : { type: "text", text: "ok" };
    calls += 1;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(reply(block, `toolu_${calls}`));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await body(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
};
