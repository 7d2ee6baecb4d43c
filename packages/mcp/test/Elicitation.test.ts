import { assert, describe, it } from "@effect/vitest";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { Effect } from "effect";
import * as Handshake from "../src/servers/session/Handshake.ts";
import * as Session from "../src/servers/session/Session.ts";

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly error?: { readonly message: string };
}

const complete = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
const question = { method: "elicitation/create", params: { message: "Really?" } };

/** A server in process whose tool, prompt and resource ask a person. */
const server = (isCurrent: boolean): Transport => {
  let called: unknown;
  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (sent) => {
      const { error, id, method } = sent as Message;
      const reply = (answer: object) =>
        queueMicrotask(() =>
          transport.onmessage?.({ jsonrpc: "2.0", ...answer } as JSONRPCMessage),
        );
      const info = { capabilities: { tools: {} }, serverInfo: { name: "asks", version: "1" } };
      if (method === "initialize") {
        reply(
          isCurrent
            ? { id, error: { code: -32_601, message: "Method not found" } }
            : { id, result: { ...info, protocolVersion: "2025-11-25" } },
        );
      } else if (method === "server/discover") {
        reply({ id, result: { ...complete, ...info, supportedVersions: ["2026-07-28"] } });
      } else if (isCurrent && method !== undefined && id !== undefined) {
        reply({ id, result: { resultType: "input_required", inputRequests: { one: question } } });
      } else if (method === "tools/call") {
        called = id;
        reply({ id: "asked", ...question });
      } else if (id === "asked") {
        const content = [{ type: "text", text: `Failed: ${error?.message}` }];
        reply({ id: called, result: { content, isError: true } });
      }
      return Promise.resolve();
    },
  };
  return transport;
};

const ignore = () => {};
const sentence = "The server asked a person: Really?. This is not supported; use ask.";

describe("a server that asks a person", () => {
  for (const [era, isCurrent, expected] of [
    ["2025-11-25", false, `Failed: ${sentence}`],
    ["2026-07-28", true, sentence],
  ] as const) {
    it.effect(`[mcp.elicitation] the result says what happened, with ${era}`, () =>
      Effect.gen(function* () {
        const client = yield* Handshake.greet(() => server(isCurrent), 5_000);
        const events = { onToolsChanged: ignore, onResourcesChanged: ignore };
        const session = yield* Session.make(client, events);
        const result = yield* session.call("act", {}, undefined, { timeout: 5_000 }, undefined);
        assert.deepInclude(result, { content: [{ type: "text", text: expected }], isError: true });
        if (!isCurrent) return;
        for (const read of [
          session.prompt("review", {}, 5_000, undefined),
          session.read("file:///a", 5_000, undefined),
        ]) {
          assert.deepInclude(yield* Effect.flip(read), { code: -32_603, message: expected });
        }
      }).pipe(Effect.scoped),
    );
  }
});
