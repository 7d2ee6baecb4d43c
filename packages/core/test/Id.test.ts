import { assert, describe, it } from "@effect/vitest";
import { Id } from "@quartermaster/core";
import { SeededRandom } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";

const ids = Layer.provide(Id.Ids.layer, SeededRandom.layerWith({ seed: 7 }));

const check = (name: string, body: Effect.Effect<void, never, never>) =>
  it.effect(name, () => body);

describe("Id", () => {
  check(
    "[ids.sortable] ids sort in the order of their creation, also within a millisecond",
    Effect.gen(function* () {
      const newId = yield* Id.generator;
      const created: Array<string> = [];
      for (const pause of [0, 0, 1, 0, 86_400_000, 0]) {
        yield* TestClock.adjust(pause);
        for (let n = 0; n < 500; n++) created.push(yield* newId("iss"));
      }
      assert.deepStrictEqual(created.toSorted(), created);
      assert.strictEqual(new Set(created).size, created.length);
      for (const id of created) assert.match(id, /^iss_[0-9A-HJKMNP-TV-Z]{26}$/);
    }).pipe(Effect.provide(ids)),
  );

  check(
    "[ids.sortable] ids sort in the order of their creation after the clock was set back",
    Effect.gen(function* () {
      const newId = yield* Id.generator;
      yield* TestClock.setTime(1_000_000);
      const before = yield* newId("evt");
      yield* TestClock.setTime(999_000);
      const after = yield* newId("evt");
      assert.isTrue(before < after, `${before} then ${after}`);
    }).pipe(Effect.provide(ids)),
  );
});
