import { assert, describe, it } from "@effect/vitest";
import { Id } from "@quartermaster/core";
import { SeededRandom } from "@quartermaster/testing";
import { Effect } from "effect";
import { TestClock } from "effect/testing";

const check = (name: string, body: Effect.Effect<void, never, never>) =>
  it.effect(name, () => body);

describe("Id", () => {
  check(
    "[ids.sortable] sort in the order of their making, within a millisecond too",
    Effect.gen(function* () {
      const newId = yield* Id.generator;
      const ids: Array<string> = [];
      for (const pause of [0, 0, 1, 0, 86_400_000, 0]) {
        yield* TestClock.adjust(pause);
        for (let n = 0; n < 500; n++) ids.push(yield* newId("iss"));
      }
      assert.deepStrictEqual(ids.toSorted(), ids);
      assert.strictEqual(new Set(ids).size, ids.length);
      for (const id of ids) assert.match(id, /^iss_[0-9A-HJKMNP-TV-Z]{26}$/);
    }).pipe(Effect.provide(SeededRandom.layerWith({ seed: 7 }))),
  );

  check(
    "[ids.sortable] also when the clock is set back",
    Effect.gen(function* () {
      const newId = yield* Id.generator;
      yield* TestClock.setTime(1_000_000);
      const before = yield* newId("evt");
      yield* TestClock.setTime(999_000);
      const after = yield* newId("evt");
      assert.isTrue(before < after, `${before} then ${after}`);
    }).pipe(Effect.provide(SeededRandom.layerWith({ seed: 7 }))),
  );
});
