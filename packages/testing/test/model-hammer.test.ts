import { HammerTest, MemoryStorage } from "@quartermaster/testing";

const long = process.env["QM_LONG"] === "1";

HammerTest.suite(
  "memory",
  MemoryStorage.layer,
  long ? { callers: 200, steps: 100 } : { callers: 30, steps: 10 },
);
