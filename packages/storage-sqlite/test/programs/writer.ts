// Stores the given number of events and issues, one of both in a separate transaction, several at a time. With a
// fourth argument it then prints a line and does not exit.
import { EventStore, IssueStore, Transactor } from "@quartermaster/core";
import { Fixtures, SeededRandom } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { Storage } from "../../src/index.ts";

const [dataDir = "", name = "", count = "0", stay] = process.argv.slice(2);

const write = Effect.gen(function* () {
  const events = yield* EventStore.EventStore;
  const issues = yield* IssueStore.IssueStore;
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
          yield* issues.insert(yield* Fixtures.issueRow());
        }),
      ),
    { concurrency: 4, discard: true },
  );
  if (stay === undefined) return;
  process.stdout.write("stored\n");
  // A process that waits for nothing exits.
  setInterval(() => undefined, 60_000);
  yield* Effect.never;
});

await Effect.runPromise(
  Effect.provide(write, Layer.merge(Storage.layer({ dataDir }), SeededRandom.layer)),
);
