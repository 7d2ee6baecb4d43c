import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";

const root = fileURLToPath(new URL("../src/index.ts", import.meta.url));
const specifiers = /^(?:(?:import|export)\b[^;"]*?\bfrom|import)\s*"([^"]+)"/gm;

/** Every module that the root of the package reaches by relative imports. */
const reached = (file: string, seen: Map<string, ReadonlyArray<string>> = new Map()) => {
  if (seen.has(file)) return seen;
  // Removes comments: their examples also contain imports.
  const code = readFileSync(file, "utf8").replaceAll(/\/\*.*?\*\//gs, "");
  const found = Array.from(code.matchAll(specifiers), ([, name = ""]) => name);
  seen.set(
    file,
    found.filter((name) => !name.startsWith(".")),
  );
  for (const name of found.filter((name) => name.startsWith("."))) {
    reached(join(dirname(file), name), seen);
  }
  return seen;
};

describe("The root of core", () => {
  it("[core.root] the root exports nothing that is internal", () => {
    const code = readFileSync(root, "utf8");
    assert.deepStrictEqual(code.match(/"[^"]*internal\/[^"]*"/g), null);
  });

  it("[core.no-node] the root imports no module of a runtime, only effect", () => {
    const modules = reached(root);
    assert.isAbove(modules.size, 40);
    for (const [file, names] of modules) {
      assert.isTrue(existsSync(file), file);
      for (const name of names) assert.match(name, /^effect(\/|$)/, `${file} imports ${name}`);
    }
  });
});
