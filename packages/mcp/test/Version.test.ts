import { assert, it } from "@effect/vitest";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { version } from "../src/protocol/Version.ts";

it("[agents.mcp.version] the version that the package introduces itself by is that of package.json", () => {
  const file = fileURLToPath(new URL("../package.json", import.meta.url));
  assert.strictEqual(version, JSON.parse(readFileSync(file, "utf8")).version);
});
