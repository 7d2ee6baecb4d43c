import { assert, describe, it } from "@effect/vitest";
import { Core, EventLog, MasterKeys } from "@quartermaster/core";
import { Callers, SeededRandom } from "@quartermaster/testing";
import { Effect, Fiber, Layer, Redacted, Stream } from "effect";
import { Digest, Mac } from "effect/crypto";
import { TestClock } from "effect/testing";
import * as TestStorage from "../support/Storage.ts";
import { alice, create } from "../support/World.ts";

const needs = Layer.mergeAll(
  MasterKeys.MasterKeys.layer([Redacted.make(new Uint8Array(32).fill(1))]),
  Mac.layerWebCrypto,
).pipe(Layer.provideMerge(Digest.layerWebCrypto), Layer.provideMerge(SeededRandom.layer));

describe("Events of another node", () => {
  it.effect("[events.other-node] are seen within half a second", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(Layer.merge(TestStorage.storage, needs));
      const node = () =>
        Layer.build(Layer.fresh(Layer.provide(Core.layer, Layer.succeedContext(context))));
      const [here, there] = [yield* node(), yield* node()];
      const events = yield* EventLog.EventLog.use((log) => log.subscribe()).pipe(
        Effect.provide(here),
      );
      const fiber = yield* Effect.forkChild(Stream.runCollect(Stream.take(events, 1)));
      yield* Effect.yieldNow;
      const { id } = yield* Effect.provide(create(), there);
      assert.isUndefined(fiber.pollUnsafe());
      yield* TestClock.adjust("500 millis");
      assert.strictEqual((yield* Fiber.join(fiber))[0]?.subjectId, id);
    }).pipe(Callers.as(alice)),
  );
});
