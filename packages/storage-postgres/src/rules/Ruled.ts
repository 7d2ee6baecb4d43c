import { type Context, Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import * as Guards from "./Guards.ts";

/** A store with some methods replaced. */
export const ruled = <I, S extends object>(
  store: Context.Key<I, S>,
  rule: (store: S, guards: Guards.Guards, sql: SqlClient.SqlClient) => Partial<S>,
): Layer.Layer<I, never, I | SqlClient.SqlClient> =>
  Layer.effect(
    store,
    Effect.gen(function* () {
      const shared = yield* store;
      const sql = yield* SqlClient.SqlClient;
      return { ...shared, ...rule(shared, Guards.make(sql), sql) };
    }),
  );
