import { assert, describe, it, vi } from "@effect/vitest";
import { Effect, Redacted } from "effect";
import { TestClock } from "effect/testing";
import * as World from "../../http/test/support/World.ts";
import * as UsageQueue from "../src/work/UsageQueue.ts";

/** A live run, and what a queue needs to report for it. */
const scene = Effect.gen(function* () {
  const world = yield* Effect.promise(() => World.forTest());
  const { runId } = yield* Effect.promise(() => world.running("bot"));
  const access = { url: world.url, key: Redacted.make(world.keys.owner.key), runId: null };
  const requests = async () =>
    (await world.call("GET", `/api/runs/${runId}`)).body.usage?.requests ?? 0;
  return { access, requests, runId, world };
});

const report = (n: number) => ({
  key: `step-${n}`,
  model: "m",
  source: "runner" as const,
  inputTokens: 10,
  outputTokens: 1,
});

describe("the usage of a host", () => {
  it.live(
    "[runner.usage] more than a request takes is sent before the hand-in, which has the rest",
    () =>
      Effect.gen(function* () {
        const { access, requests, runId, world } = yield* scene;
        const queue = yield* UsageQueue.make(access, "bot", runId);
        assert.deepStrictEqual(queue.rest(), {});
        for (let n = 0; n < 120; n++) queue.add(report(n));
        yield* queue.send(50);
        assert.strictEqual(yield* Effect.promise(requests), 100);
        const { usage = [] } = queue.rest();
        assert.lengthOf(usage, 20);
        const body = { outcome: "resolved", usage };
        yield* Effect.promise(() =>
          world.call("POST", `/api/agents/bot/runs/${runId}/finish`, { body }),
        );
        // A repeat counts nothing twice.
        yield* queue.send(0);
        assert.strictEqual(yield* Effect.promise(requests), 120);
        assert.deepStrictEqual(queue.rest(), {});
      }).pipe(Effect.scoped),
  );

  it.live("[runner.usage] a refused report is not sent again, and one that did not arrive is", () =>
    Effect.gen(function* () {
      const { access, requests, runId } = yield* scene;
      const away = yield* UsageQueue.make({ ...access, url: "http://127.0.0.1:1" }, "bot", runId);
      away.add(report(1));
      yield* away.send(0);
      assert.lengthOf(away.rest().usage ?? [], 1);
      const queue = yield* UsageQueue.make(access, "bot", runId);
      queue.add({ ...report(1), inputTokens: -1 });
      yield* queue.send(0);
      assert.deepStrictEqual(queue.rest(), {});
      assert.strictEqual(yield* Effect.promise(requests), 0);
    }).pipe(Effect.scoped),
  );

  it.effect("[runner.usage] while a host works, its usage is sent every minute", () =>
    Effect.gen(function* () {
      const { access, requests, runId } = yield* scene;
      const queue = yield* UsageQueue.make(access, "bot", runId);
      queue.add(report(1));
      yield* TestClock.adjust("1 minute");
      // Nothing reports the end of the request.
      yield* Effect.promise(() =>
        vi.waitFor(async () => assert.strictEqual(await requests(), 1), { timeout: 20_000 }),
      );
    }).pipe(Effect.scoped),
  );
});
