// Writes so many events, each in a transaction of its own, several at a time.
import { EventStore, Transactor } from "@quartermaster/core";
import { Fixtures, SeededRandom } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { Storage } from "../../src/index.ts";

const [dataDir = "", name = "", count = "0"] = process.argv.slice(2);

const write = Effect.gen(function* () {
  const events = yield* EventStore.EventStore;
  const { transact } = yield* Transactor.Transactor;
  yield* Effect.forEach(
    Array.from({ length: Number(count) }, (_, n) => n),
    (n) =>
      transact(
        Effect.gen(function* () {
          const before = yield* events.lastSeq;
          const row = yield* Fixtures.eventRow({ id: `${name}-${n}`, data: { before } });
          yield* Effect.yieldNow;
          yield* events.append([row]);
        }),
      ),
    { concurrency: 4, discard: true },
  );
});

await Effect.runPromise(
  Effect.provide(write, Layer.merge(Storage.layer({ dataDir }), SeededRandom.layer)),
);
