import { assert, it } from "@effect/vitest";
import { type Errors, RunStore, ToolCallStore } from "@quartermaster/core";
import { Fixtures, SeededRandom, Storage as Testing } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import type { SecureRandom } from "effect/crypto";
import { SqlClient } from "effect/sql";
import { PostgresClient, Storage } from "../src/index.ts";
import { emptySchema, options, withServer } from "./support/TestStorage.ts";

const storage = Layer.unwrap(
  Effect.map(emptySchema, (schema) =>
    Layer.provideMerge(Storage.layer(options(schema)), PostgresClient.layer(options(schema))),
  ),
).pipe(Layer.provideMerge(SeededRandom.layer));

type Change = Effect.Effect<void, Errors.StorageError, Storage.Ports | SecureRandom.SecureRandom>;

withServer(() => {
  it.effect("a heartbeat that starts several runs touches one row of their project", () =>
    Effect.gen(function* () {
      const runs = yield* RunStore.RunStore;
      const touched = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`SELECT name FROM guards WHERE name LIKE 'project %'`,
      );
      const start = Effect.gen(function* () {
        for (const agentId of ["a", "b", "c"]) {
          const issue = yield* Fixtures.issue();
          yield* runs.insert([yield* Fixtures.runRow(issue, { agentId })]);
        }
      });
      yield* Testing.transact(start);
      assert.lengthOf(yield* touched, 1);
    }).pipe(Effect.provide(storage)),
  );

  it.effect(
    "the start of a run and the admission of a call of its issue conflict, in either order",
    () =>
      Effect.gen(function* () {
        const schema = yield* emptySchema;
        const node = Layer.build(Layer.fresh(Storage.layer(options(schema))));
        const [one, other] = [yield* node, yield* node];
        const runs = yield* Effect.provideContext(RunStore.RunStore, one);
        /** Returns how often a change runs if another node changes something after its first read. */
        const timesOf = Effect.fnUntraced(function* (change: Change, overtaking: Change) {
          let times = 0;
          const overtaken = Effect.gen(function* () {
            yield* runs.get("run_none");
            times += 1;
            if (times === 1) yield* Effect.provideContext(Testing.transact(overtaking), other);
            yield* change;
          });
          yield* Effect.provideContext(Testing.transact(overtaken), one);
          return times;
        });
        for (const earlierCalls of [0, 1, 20]) {
          const issue = Effect.provideContext(Fixtures.issue(), one);
          for (const isStartFirst of [true, false]) {
            const { id: issueId, projectId } = yield* issue;
            const start = Effect.flatMap(
              Fixtures.runRow({ id: issueId, projectId }, { agentId: "agent" }),
              (row) => RunStore.RunStore.use((store) => store.insert([row])),
            );
            const admission = Effect.flatMap(Fixtures.admittedCall({ issueId }), (call) =>
              ToolCallStore.ToolCallStore.use((calls) => calls.admit(call)),
            );
            for (let call = 0; call < earlierCalls; call++) {
              yield* Effect.provideContext(
                Testing.transact(admission),
                call % 2 === 0 ? one : other,
              );
            }
            const times = isStartFirst ? timesOf(admission, start) : timesOf(start, admission);
            assert.strictEqual(yield* times, 2, `${earlierCalls} ${isStartFirst}`);
          }
        }
      }).pipe(Effect.scoped, Effect.provide(SeededRandom.layer)),
  );

  // Outside a transaction a statement that writes dies.
  it.effect("an update of no runs sends no statement", () =>
    RunStore.RunStore.use((runs) => runs.update([])).pipe(Effect.provide(storage)),
  );

  it.effect("two issues are related once, whichever of them is the source", () =>
    Effect.gen(function* () {
      const issue = yield* Fixtures.issue();
      const other = yield* Fixtures.issue();
      yield* Fixtures.link(issue, other, { relation: "RelatedTo" });
      yield* Fixtures.link(issue, other, { relation: "Blocks" });
      const { reason } = yield* Effect.flip(Fixtures.link(other, issue, { relation: "RelatedTo" }));
      assert.match(reason, /links_related/);
      yield* Fixtures.link(other, issue, { relation: "DuplicateOf" });
    }).pipe(Effect.provide(storage)),
  );
});
