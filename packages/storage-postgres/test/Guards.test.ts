import { assert, it } from "@effect/vitest";
import { RunStore } from "@quartermaster/core";
import { Fixtures, SeededRandom, Storage as Testing } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { PostgresClient, Storage } from "../src/index.ts";
import { emptySchema, options, withServer } from "./support/TestStorage.ts";

const storage = Layer.unwrap(
  Effect.map(emptySchema, (schema) =>
    Layer.provideMerge(Storage.layer(options(schema)), PostgresClient.layer(options(schema))),
  ),
).pipe(Layer.provideMerge(SeededRandom.layer));

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
