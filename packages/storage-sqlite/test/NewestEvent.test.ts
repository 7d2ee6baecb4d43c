import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { EventStore, Transactor } from "@quartermaster/core";
import { Fixtures, SeededRandom } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { Storage } from "../src/index.ts";
import { tempFolder } from "./support/TestStorage.ts";

describe("the record of the newest event", () => {
  it.live("[server.database.power] it never names an event that a power loss can undo", () =>
    Effect.gen(function* () {
      const dataDir = yield* tempFolder;
      const noted = Effect.map(
        Effect.promise(() => readFile(join(dataDir, "newest-event"), "utf8")),
        Number,
      );
      const becomes = (seq: number) =>
        Effect.repeat(Effect.delay(noted, "10 millis"), { until: (found) => found === seq });
      yield* Effect.gen(function* () {
        const { append } = yield* EventStore.EventStore;
        const { transact, transactRelaxed } = yield* Transactor.Transactor;
        const event = Effect.flatMap(Fixtures.eventRow({}), (row) => append([row]));
        yield* transact(event);
        yield* becomes(1);
        yield* transactRelaxed(event);
        yield* Effect.sleep("200 millis");
        assert.strictEqual(yield* noted, 1);
        yield* transact(event);
        yield* becomes(3);
      }).pipe(Effect.provide(Layer.merge(Storage.layer({ dataDir }), SeededRandom.layer)));
    }).pipe(Effect.scoped),
  );
});
