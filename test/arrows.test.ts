import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { root, run, temporaryFolder } from "./programs.ts";

const manifest = JSON.stringify({
  exports: { "./internal/*": null, "./issues/internal/*": null, "./*": "./dist/*.js" },
});

/** Runs the check of arrows over the package core with these sources. */
const checked = async (sources: Readonly<Record<string, string>>) => {
  const folder = await temporaryFolder();
  const files = Object.entries(sources).map(([name, text]) => [`src/${name}`, text] as const);
  for (const [name, text] of [["package.json", manifest] as const, ...files]) {
    const file = join(folder, "packages", "core", name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const script = join(root, "scripts", "check-arrows.mjs");
  return run(process.execPath, [script, "--root", folder], { cwd: folder });
};

const internals = {
  "internal/Span.ts": "export const span = 1;",
  "issues/internal/Timeline.ts": 'export { span } from "../../internal/Span.ts";',
  "issues/Issues.ts": 'export * from "./internal/Timeline.ts";',
  "runs/Runs.ts": 'export * from "../issues/Issues.ts";',
};

describe("the check of arrows", () => {
  it("accepts an internal file in its room, and helpers of the package in every room", async () => {
    const { code, stderr } = await checked(internals);
    assert.deepStrictEqual([code, stderr], [0, ""]);
  });

  it("refuses an import of another room's internal file, also of its types", async () => {
    const { code, stderr } = await checked({
      ...internals,
      "Core.ts": '\nexport * from "./issues/internal/Timeline.ts";',
      "runs/internal/Turns.ts": 'import type {} from "../../issues/internal/Timeline.ts";',
    });
    assert.strictEqual(code, 1);
    const why = "is internal to the room packages/core/src/issues";
    const refused = stderr.split("\n").filter((line) => line.includes(why));
    assert.deepStrictEqual(refused.toSorted(), [
      `packages/core/src/Core.ts:2: "./issues/internal/Timeline.ts" ${why}`,
      `packages/core/src/runs/internal/Turns.ts:1: "../../issues/internal/Timeline.ts" ${why}`,
    ]);
  });
});
