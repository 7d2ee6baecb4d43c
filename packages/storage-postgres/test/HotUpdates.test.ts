import { assert, it } from "@effect/vitest";
import { AgentStore, RunStore } from "@quartermaster/core";
import { Fixtures, SeededRandom, Storage as Testing } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { layerFilled, withServer } from "./support/TestStorage.ts";

const storage = Layer.merge(layerFilled([]), SeededRandom.layer);

withServer(() => {
  it.effect("a heartbeat and the renewal of a lease write no index", () =>
    Effect.gen(function* () {
      const agents = yield* AgentStore.AgentStore;
      const runs = yield* RunStore.RunStore;
      const sql = yield* SqlClient.SqlClient;
      yield* Testing.transact(agents.register("agent", Fixtures.at(0)));
      const run = yield* Fixtures.run(yield* Fixtures.issue());
      const renewed = Effect.gen(function* () {
        yield* agents.heartbeat("agent", Fixtures.at(1));
        yield* runs.update([{ ...run, leaseExpiresAt: Fixtures.at(100) }]);
        return yield* sql<{ table: string; updates: number; others: number }>`
          SELECT relname AS table, n_tup_upd AS updates, n_tup_upd - n_tup_hot_upd AS others
          FROM pg_stat_xact_user_tables WHERE schemaname = current_schema()
            AND relname IN ('agents', 'runs') ORDER BY relname`;
      });
      assert.deepStrictEqual(yield* Testing.transact(renewed), [
        { table: "agents", updates: 1, others: 0 },
        { table: "runs", updates: 1, others: 0 },
      ]);
    }).pipe(Effect.provide(storage)),
  );
});
