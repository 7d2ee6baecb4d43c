import { HammerTest } from "@quartermaster/testing";
import { layer } from "./support/TestStorage.ts";

const long = process.env["QM_LONG"] === "1";

HammerTest.suite("SQLite", layer, long ? { callers: 200, steps: 100 } : { callers: 30, steps: 10 });
