import { MemoryStorage, ModelTest } from "@quartermaster/testing";

const long = process.env["QM_LONG"] === "1";

ModelTest.suite(
  "memory",
  MemoryStorage.layer,
  long ? { runs: 2_000, steps: 120 } : { seed: 1, runs: 20, steps: 50 },
);
