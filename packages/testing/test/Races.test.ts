import { assert, describe, it } from "@effect/vitest";
import { RacesTest } from "@quartermaster/testing";
import { Cause, Effect, Exit, Layer } from "effect";
import { Digest } from "effect/crypto";
import { Database } from "../src/memory/Database.ts";
import * as Stores from "../src/memory/Stores.ts";
import { run } from "../src/races/World.ts";

/** Memory in which calls interleave as they do on a database. */
const interleaved = (atOnce: number) =>
  RacesTest.shared(
    Stores.layer.pipe(
      Layer.provide(Database.layerWith({ yields: true, atOnce })),
      Layer.provide(Digest.layerWebCrypto),
    ),
  );

const long = process.env["QM_LONG"] === "1";

RacesTest.suite("memory", interleaved(1), { rounds: long ? 21 : 3 });

describe("over storage without isolation", () => {
  for (const race of RacesTest.races) {
    it.effect(`this race fails: ${race.name}`, () =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(run(interleaved(1_000), race, 100));
        assert.isTrue(Exit.isFailure(exit), "No round failed");
        if (Exit.isSuccess(exit)) return;
        assert.include(String(Cause.squash(exit.cause)), "AssertionError");
      }),
    );
  }
});
