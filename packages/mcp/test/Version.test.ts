import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assert, it } from "@effect/vitest";
import { version } from "../src/protocol/Version.ts";

it("[agents.mcp.version] the package reports the version of package.json", () => {
  const file = fileURLToPath(new URL("../package.json", import.meta.url));
  assert.strictEqual(version, JSON.parse(readFileSync(file, "utf8")).version);
});
