import { globSync } from "node:fs";
import { basename } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { anchorsIn, read } from "./pages.ts";
import { root } from "./programs.ts";
import { requirements } from "./requirements.ts";

// The suites of the testing package are also tests: each storage runs them.
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

/**
 * Test names that start with a bracket. An id has a dot; a word in brackets without a dot is a tag.
 */
const name = /(["'`])(\[[a-z].*?)\1/g;

const cited = new Map<string, string>();
for (const file of files.toSorted()) {
  const text = read(file);
  for (const [, , words = ""] of text.matchAll(name)) {
    for (const [, citation = ""] of words.matchAll(new RegExp(`\\[(${id})\\]`, "g"))) {
      if (!cited.has(citation)) cited.set(citation, file);
    }
  }
}

const pages = globSync("docs/contract/*.md", { cwd: root })
  .filter((page) => !page.endsWith("README.md"))
  .toSorted();
const anchors = pages.flatMap((page) => anchorsIn(read(page)));

describe("requirements", () => {
  it("have ids of one form, each once", () => {
    const ids = requirements.map((requirement) => requirement.id);
    assert.deepStrictEqual(
      ids.filter((name, n) => ids.indexOf(name) !== n || !new RegExp(`^${id}$`).test(name)),
      [],
    );
  });

  it("are sentences", () => {
    const fragments = requirements.filter(({ text }) => !/^\S+ \S+ .*[^.]\.$/.test(text));
    assert.deepStrictEqual(fragments, []);
  });

  it("cite sections that docs/contract has", () => {
    const dangling = requirements.filter(({ source }) => {
      const [, anchor = ""] = /^contract#(.+)$/.exec(source) ?? [];
      return !anchors.includes(anchor);
    });
    assert.deepStrictEqual(dangling, []);
  });

  it("are each proved by a test", () => {
    const untested = requirements
      .filter((requirement) => !cited.has(requirement.id))
      .map((requirement) => `${requirement.id} (${requirement.source}): ${requirement.text}`);
    assert.deepStrictEqual(untested, []);
  });

  it("include every id that a test cites", () => {
    const known = new Set(requirements.map((requirement) => requirement.id));
    const unknown = [...cited].filter(([name]) => !known.has(name));
    assert.deepStrictEqual(
      unknown.map(([name, file]) => `${name} in ${file}`),
      [],
    );
  });
});

describe("docs/contract", () => {
  it("has each heading once", () => {
    assert.deepStrictEqual(
      anchors.filter((anchor, n) => anchors.indexOf(anchor) !== n),
      [],
    );
  });

  it("lists every section in its index", () => {
    const index = read("docs/contract/README.md");
    const listed = [...index.matchAll(/\]\(([a-z]+\.md)#([^)]+)\)/g)].map(
      ([, page, anchor]) => `${page}#${anchor}`,
    );
    const sections = pages.flatMap((page) =>
      anchorsIn(read(page))
        .slice(1)
        .map((anchor) => `${basename(page)}#${anchor}`),
    );
    assert.deepStrictEqual(listed.toSorted(), sections.toSorted());
  });
});
