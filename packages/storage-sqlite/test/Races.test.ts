import { RacesTest } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { Storage } from "../src/index.ts";
import { tempFolder } from "./support/TestStorage.ts";

/** Nodes with separate connections to one file. */
const nodes = Effect.fnUntraced(function* (count: number) {
  const dataDir = yield* tempFolder;
  return yield* Effect.forEach(Array.from({ length: count }), () =>
    Layer.build(Layer.fresh(Storage.layer({ dataDir, durability: "normal" }))),
  );
});

const long = process.env["QM_LONG"] === "1";

RacesTest.suite("SQLite", nodes, { rounds: long ? 14 : 3 });
