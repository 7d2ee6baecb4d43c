import { readFile } from "node:fs/promises";
import { assert, describe, it } from "@effect/vitest";
import { referencePages } from "../scripts/reference/pages.ts";

describe("the reference", () => {
  it("has every command and variable as the code defines it", async () => {
    for (const [file, expected] of await referencePages()) {
      const actual = await readFile(new URL(`../${file}`, import.meta.url), "utf8");
      assert.strictEqual(actual, expected, `Run \`npm run reference\`: ${file}`);
    }
  });
});
