import { assert, describe } from "@effect/vitest";
import { ProjectStore } from "@quartermaster/core";
import { Effect, type Layer } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, type It } from "../Suite.ts";

const pauses = (it: It<Storage>): void => {
  it.effect("a project is paused until its pause ends, and setPaused returns what changed", () =>
    Effect.gen(function* () {
      const projects = yield* ProjectStore.ProjectStore;
      const id = yield* Fixtures.id("project");
      const other = `${id}x`;
      const steps: Array<readonly [changed: boolean, paused: boolean]> = [];
      assert.isFalse(yield* projects.isPaused(id));
      for (const paused of [false, true, true, false, false, true]) {
        const changed = yield* transact(projects.setPaused(id, paused));
        steps.push([changed, yield* projects.isPaused(id)]);
        assert.isFalse(yield* projects.isPaused(other));
      }
      assert.deepStrictEqual(steps, [
        [false, false],
        [true, true],
        [false, true],
        [true, false],
        [false, false],
        [true, true],
      ]);
    }),
  );

  it.effect("of many changes that pause a project at the same time, one changes it", () =>
    Effect.gen(function* () {
      const projects = yield* ProjectStore.ProjectStore;
      const id = yield* Fixtures.id("project");
      const changed = yield* Effect.all(
        Array.from({ length: 20 }, () => transact(projects.setPaused(id, true))),
        { concurrency: "unbounded" },
      );
      assert.lengthOf(changed.filter(Boolean), 1);
    }),
  );
};

/** What every `ProjectStore` must do. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`ProjectStore: ${name}`, () => {
    block("pauses", storage, pauses);
  });
};
