import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "vitest";
import { requirements } from "./requirements.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

// The shared suites of the testing package are tests, too: each storage runs them.
const files = globSync(
  [
    "packages/*/test/**/*.ts",
    "packages/testing/src/**/*.ts",
    "examples/*/test/**/*.ts",
    "test/**/*.test.ts",
    "scripts/ci/*.mjs",
  ],
  { cwd: root },
);

const id = String.raw`[a-z][A-Za-z0-9-]*(?:\.[A-Za-z0-9-]+)+`;

/** Names that begin with a bracket, whole. Ids have a dot; a word in brackets without one is a mark. */
const name = /(["'`])(\[[a-z].*?)\1/g;

const cited = new Map<string, string>();
for (const file of files.toSorted()) {
  const text = readFileSync(join(root, file), "utf8");
  for (const [, , words = ""] of text.matchAll(name)) {
    for (const [, citation = ""] of words.matchAll(new RegExp(`\\[(${id})\\]`, "g"))) {
      if (!cited.has(citation)) cited.set(citation, file);
    }
  }
}

describe("requirements", () => {
  it("have ids of one form, each once", () => {
    const ids = requirements.map((requirement) => requirement.id);
    assert.deepStrictEqual(
      ids.filter((name, n) => ids.indexOf(name) !== n || !new RegExp(`^${id}$`).test(name)),
      [],
    );
  });

  it("are each proved by a test", () => {
    const untested = requirements
      .filter((requirement) => !cited.has(requirement.id))
      .map((requirement) => `${requirement.id} (${requirement.source}): ${requirement.text}`);
    assert.deepStrictEqual(untested, []);
  });

  it("are what tests cite", () => {
    const known = new Set(requirements.map((requirement) => requirement.id));
    const unknown = [...cited].filter(([name]) => !known.has(name));
    assert.deepStrictEqual(
      unknown.map(([name, file]) => `${name} in ${file}`),
      [],
    );
  });
});
