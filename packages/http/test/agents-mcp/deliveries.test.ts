import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { Effect } from "effect";
import { assertRejects } from "../support/Assert.ts";
import * as EffectCalls from "../support/EffectCalls.ts";
import * as World from "../support/World.ts";

/** Whether the run has received the result of an effect decides what its next equal call is. */

/** The connection of the next response to a call closes in place of its last byte. */
let isCutting = false;
let world: World.World;
let opened = Promise.withResolvers<void>();

beforeAll(async () => {
  world = await World.start({
    keepAlive: { afterMillis: 20, everyMillis: 20 },
    onResponse: (response) => {
      if (!isCutting) return;
      const end = response.end.bind(response);
      response.end = (...args: ReadonlyArray<unknown>) => {
        if (!isCutting || world.server.calls.length === 0)
          return Reflect.apply(end, response, args);
        isCutting = false;
        return response.destroy();
      };
    },
  });
  const serverId = await world.usableTool();
  const body = { once: [{ tools: ["add"] }] };
  const updated = await world.admin("PUT", world.at(serverId), { body });
  assert.strictEqual(updated.status, 200, updated.text);
});
afterAll(() => world.close());

const receipts = (when: Effect.Effect<void>) => {
  world.server.calls.length = 0;
  let n = 0;
  world.server.onCall = () =>
    Effect.as(when, { content: [{ type: "text", text: `receipt ${(n += 1)}` }] });
};

describe("the delivery of an effect's result", () => {
  for (const road of Object.keys(EffectCalls.roads)) {
    const call = (runId: string) => EffectCalls.call(world, road, { runId });

    it(`[tools.once.delivered] ${road}: equal calls are further effects once the response was written`, async () => {
      const { runId } = await EffectCalls.running(world);
      receipts(Effect.void);
      for (const text of ["receipt 1", "receipt 2", "receipt 3"]) {
        assert.strictEqual(EffectCalls.textOf(await call(runId)), text);
      }
    });

    it(`[tools.once.delivered] ${road}: a result whose connection closed before its last byte is replayed`, async () => {
      const { effects, runId } = await EffectCalls.running(world);
      receipts(Effect.void);
      isCutting = true;
      await assertRejects(EffectCalls.send(world, road, { runId }), {});
      const again = await call(runId);
      assert.strictEqual(EffectCalls.textOf(again), "receipt 1");
      const [effect, ...others] = await effects();
      assert.lengthOf(others, 0);
      assert.strictEqual(EffectCalls.replayOf(again)?.callId, effect.callId);
      assert.strictEqual(EffectCalls.textOf(await call(runId)), "receipt 2");
    });

    it(`[tools.once.delivered] ${road}: the same for a response that started before its result`, async () => {
      const { runId } = await EffectCalls.running(world);
      opened = Promise.withResolvers<void>();
      receipts(Effect.promise(() => opened.promise));
      isCutting = true;
      const response = await EffectCalls.start(world, road, { runId });
      opened.resolve();
      await assertRejects(response.text(), {});
      assert.strictEqual(EffectCalls.textOf(await call(runId)), "receipt 1");
      const third = await EffectCalls.start(world, road, { runId });
      assert.include(await third.text(), "receipt 2");
    });
  }
});
