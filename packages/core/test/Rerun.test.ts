import { assert, it } from "@effect/vitest";
import { Transactor } from "@quartermaster/core";
import { Effect } from "effect";
import * as TestStorage from "./support/Storage.ts";

it.effect(
  "the tests of the project `core twice` run over storage that runs each change twice",
  () =>
    Effect.gen(function* () {
      const { transact } = yield* Transactor.Transactor;
      let runs = 0;
      yield* transact(Effect.sync(() => void runs++));
      assert.strictEqual(runs, process.env["QM_STORAGE"] === "rerun" ? 2 : 1);
    }).pipe(Effect.provide(TestStorage.storage)),
);
