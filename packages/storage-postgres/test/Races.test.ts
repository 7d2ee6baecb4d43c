import { RacesTest } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { Storage } from "../src/index.ts";
import { emptySchema, options, withServer } from "./support/TestStorage.ts";

/** Nodes with separate pools on one schema. */
const nodes = (isolation: Storage.Options["isolation"]) =>
  Effect.fnUntraced(function* (count: number) {
    const schema = yield* emptySchema;
    return yield* Effect.forEach(Array.from({ length: count }), () =>
      Layer.build(Layer.fresh(Storage.layer({ ...options(schema), isolation }))),
    );
  });

const long = process.env["QM_LONG"] === "1";

withServer(() => {
  RacesTest.suite("PostgreSQL", nodes("REPEATABLE READ"), { rounds: long ? 14 : 3 });
  // The oracle: a race that fails only above shows a rule that is missing.
  if (long) RacesTest.suite("PostgreSQL at SERIALIZABLE", nodes("SERIALIZABLE"), { rounds: 3 });
});
