import { assert, describe, it } from "@effect/vitest";
import { Effect, Fiber } from "effect";
import { TestClock } from "effect/testing";
import * as Endpoint from "./support/Endpoint.ts";

const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "fix__echo" } };

/** Calls the tool in a session. */
const callTool = Effect.fnUntraced(function* (options: Endpoint.Options) {
  const endpoint = yield* Endpoint.make(options);
  const session = yield* Endpoint.startSession(endpoint);
  return yield* endpoint(call, session);
});

describe("a worker's call", () => {
  it.effect(
    "[work.renew.calls] renews before it is carried out, and every third of the lease",
    () =>
      Effect.gen(function* () {
        const renewed: Array<string> = [];
        const fiber = yield* Effect.forkChild(
          callTool({
            call: () => Effect.as(Effect.sleep("70 seconds"), { content: [] }),
            workers: {
              renew: (_, worker) =>
                Effect.sync(() => {
                  renewed.push(worker.id);
                  return [900, 60];
                }),
            },
          }),
        );
        yield* TestClock.adjust("19 seconds");
        assert.lengthOf(renewed, 1);
        assert.match(renewed[0] ?? "", /^session:key\.2025-11-25\./);
        yield* TestClock.adjust("42 seconds");
        assert.lengthOf(renewed, 4);
        yield* TestClock.adjust("10 seconds");
        const { text } = yield* Fiber.join(fiber);
        assert.deepStrictEqual(JSON.parse(text).result.content, []);
        yield* TestClock.adjust("60 seconds");
        assert.lengthOf(renewed, 4);
      }),
  );

  const notice = { runId: "run_1", issueId: "iss_1", reason: "leaseExpired" } as const;
  const workers = { notices: () => Effect.succeed([notice]) };

  it.effect(
    "[work.stop.structured] a notice turns structured content without a schema into text",
    () =>
      Effect.gen(function* () {
        const { text } = yield* callTool({
          call: () =>
            Effect.succeed(
              Object.assign(
                { content: [], structuredContent: { sum: 3 } },
                { _meta: { trace: "1" } },
              ),
            ),
          workers,
        });
        const { result } = JSON.parse(text);
        assert.deepStrictEqual(result, {
          content: [
            { type: "text", text: JSON.stringify({ sum: 3 }) },
            {
              type: "text",
              text: "[Quartermaster] Stop working on iss_1: your lease expired, and another run may have it. Call work_turn.",
            },
          ],
          _meta: { trace: "1", "quartermaster/stop": { runId: "run_1", reason: "leaseExpired" } },
        });
      }),
  );

  it.effect(
    "[work.stop.schema] a tool with an output schema keeps its structured content in addition to the notice",
    () =>
      Effect.gen(function* () {
        const structuredContent = { sum: 3 };
        const { text } = yield* callTool({
          call: () => Effect.succeed({ content: [], structuredContent }),
          definition: { outputSchema: { type: "object" } },
          workers,
        });
        const { result } = JSON.parse(text);
        assert.deepStrictEqual(result.structuredContent, structuredContent);
        assert.lengthOf(result.content, 2);
        assert.deepStrictEqual(result._meta, {
          "quartermaster/stop": { runId: "run_1", reason: "leaseExpired" },
        });
      }),
  );
});
