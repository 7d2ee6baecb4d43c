import { assert, describe, it } from "@effect/vitest";
import * as LockFile from "../src/programs/packages/LockFile.ts";

const integrity = "sha512-x";

const treeWith = (locked: Partial<LockFile.LockFile["packages"][string]>): LockFile.LockFile => ({
  packages: {
    "": { dependencies: { tool: "1.2.3" } },
    "node_modules/tool": { resolved: "https://a.test/tool.tgz", integrity, ...locked },
  },
});

describe("a tree of packages", () => {
  it.each<readonly [what: string, Parameters<typeof treeWith>[0], problem: string | null]>([
    ["ranges", { dependencies: { a: "^1.0.0 || ~2.1", b: "latest", c: "*", d: "~1.2.3" } }, null],
    ["another name", { dependencies: { a: "npm:@scope/b@^1.0.0" } }, null],
    ["a lock file without addresses", {}, null],
    ["a bundled package", { inBundle: true }, null],
    ["git", { dependencies: { a: "git+ssh://git@a.test/b.git" } }, "depends on a"],
    ["a host's short form", { optionalDependencies: { a: "github:b/c" } }, "depends on a"],
    ["the shortest form", { dependencies: { a: "b/c" } }, "depends on a"],
    ["an address", { dependencies: { a: "https://a.test/b.tgz" } }, "depends on a"],
    ["a file", { peerDependencies: { a: "file:../b" } }, "depends on a"],
    ["a path", { dependencies: { a: "../b" } }, "depends on a"],
    ["a link", { link: true }, "not from the registry"],
    ["a repository", { resolved: "git+https://a.test/b.git#c" }, "not from the registry"],
  ])("[packages.npm.tree] %s", (_, locked, problem) => {
    const found = LockFile.problem(treeWith(locked));
    if (problem === null) assert.isNull(found);
    else assert.include(found, problem);
  });

  it("[packages.npm.tree] a package without integrity is refused", () => {
    const { integrity: _, ...locked } = treeWith({}).packages["node_modules/tool"] ?? {};
    const tree = { packages: { "node_modules/tool": locked } };
    assert.strictEqual(LockFile.problem(tree), "tool has no integrity");
  });
});
