import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { MemoryStorage } from "@quartermaster/testing";
import { Effect, Layer, ManagedRuntime } from "effect";
import * as EffectCalls from "../support/EffectCalls.ts";
import * as World from "../support/World.ts";

const runtime = ManagedRuntime.make(MemoryStorage.layer);
let nodes: ReadonlyArray<World.World>;

beforeAll(async () => {
  const storage = Layer.succeedContext(await runtime.context());
  const [first, second] = [await World.start({ storage }), await World.start({ storage })];
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
});
