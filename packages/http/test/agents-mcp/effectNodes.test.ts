import { setTimeout } from "node:timers/promises";
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import { MemoryStorage } from "@quartermaster/testing";
import { Effect, Layer, ManagedRuntime } from "effect";
import * as EffectCalls from "../support/EffectCalls.ts";
import * as World from "../support/World.ts";

const runtime = ManagedRuntime.make(MemoryStorage.layer);
let nodes: ReadonlyArray<World.World>;
/** Set for the next result of the first node: its last byte waits for this. */
let held: Promise<void> | null = null;

beforeAll(async () => {
  const storage = Layer.succeedContext(await runtime.context());
  const first = await World.start({
    storage,
    onResponse: (response) => {
      const end = response.end.bind(response);
      response.end = (...args: ReadonlyArray<unknown>) => {
        if (held === null || first.server.calls.length === 0) {
          return Reflect.apply(end, response, args);
        }
        void held.then(() => Reflect.apply(end, response, args));
        held = null;
        return response;
      };
    },
  });
  const second = await World.start({ storage });
  nodes = [first, second];
  const serverId = await first.usableTool();
  const body = { once: [{ tools: ["add"] }] };
  const updated = await first.admin("PUT", first.at(serverId), { body });
  assert.strictEqual(updated.status, 200, updated.text);
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await runtime.dispose();
});

describe("effects on several nodes", () => {
  it("[effects.nodes] of two equal effects on two nodes at the same time, one is sent", async () => {
    const [first] = nodes;
    const { runId } = await EffectCalls.running(first!);
    for (const { server } of nodes) {
      server.onCall = () => Effect.succeed({ content: [{ type: "text", text: "receipt" }] });
    }
    for (let round = 0; round < 10; round++) {
      const results = await Promise.all(
        nodes.map((node) =>
          EffectCalls.call(node, round % 2 === 0 ? "REST" : "2026-07-28", {
            runId,
            effect: `round-${round}`,
          }),
        ),
      );
      assert.deepStrictEqual(results.map(EffectCalls.textOf), ["receipt", "receipt"]);
      assert.lengthOf(
        results.flatMap((result) => EffectCalls.replayOf(result) ?? []),
        1,
      );
      const sent = nodes.map(({ server }) => server.calls.length);
      assert.strictEqual(
        sent.reduce((sum, calls) => sum + calls, 0),
        round + 1,
      );
    }
  });

  it("[effects.nodes] an equal call on another node waits while the response to the first is on its way", async () => {
    const [first, second] = nodes;
    const { runId } = await EffectCalls.running(first!);
    let receipts = 0;
    for (const { server } of nodes) {
      server.calls.length = 0;
      server.onCall = () =>
        Effect.sync(() => ({ content: [{ type: "text", text: `receipt ${(receipts += 1)}` }] }));
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const one = EffectCalls.call(first!, "REST", { runId });
    await vi.waitUntil(() => held === null, { timeout: 10_000 });
    const two = EffectCalls.call(second!, "REST", { runId });
    assert.strictEqual(await Promise.race([two, setTimeout(400, "waits")]), "waits");
    assert.strictEqual(receipts, 1);
    resolve();
    assert.strictEqual(EffectCalls.textOf(await one), "receipt 1");
    assert.strictEqual(EffectCalls.textOf(await two), "receipt 2");
  });
});
