import { ModelTest } from "@quartermaster/testing";
import { layer } from "./support/TestStorage.ts";

const long = process.env["QM_LONG"] === "1";

ModelTest.suite(
  "SQLite",
  layer,
  long ? { runs: 500, steps: 120 } : { seed: 1, runs: 10, steps: 40 },
);
