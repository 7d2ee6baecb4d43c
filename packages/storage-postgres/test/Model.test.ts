import { HammerTest, ModelTest } from "@quartermaster/testing";
import { layer, layerOf, withServer } from "./support/TestStorage.ts";

const long = process.env["QM_LONG"] === "1";

withServer(() => {
  ModelTest.suite(
    "PostgreSQL",
    layer,
    long ? { runs: 30, steps: 80 } : { seed: 1, runs: 3, steps: 40 },
  );
  HammerTest.suite(
    "PostgreSQL",
    layer,
    long ? { callers: 40, steps: 40 } : { callers: 20, steps: 10 },
  );
  // The oracle: what fails only above lacks a rule.
  if (long) {
    HammerTest.suite("PostgreSQL at SERIALIZABLE", layerOf("SERIALIZABLE"), {
      callers: 8,
      steps: 10,
    });
  }
});
