import { assert, describe, it } from "@effect/vitest";
import type { BriefIssue } from "@quartermaster/client";
import { rootsOf } from "../src/data/issues/chains.ts";

// The function reads only these fields.
const issue = (id: string, status: BriefIssue["status"] = "Open") => ({ id, status }) as BriefIssue;

const graph = (ids: ReadonlyArray<string>, ...edges: ReadonlyArray<readonly [string, string]>) => ({
  nodes: ids.map((id) => issue(id)),
  edges: edges.map(([from, to]) => ({ from, to })),
});

const named = (roots: ReturnType<typeof rootsOf>) =>
  roots.map(({ blocks, issue }) => [issue.id, blocks]);

describe("roots of blocked chains", () => {
  it("[dashboard.overview.roots] count the issues that they block indirectly once, and are sorted by that number", () => {
    const diamond = graph(["a", "b", "c", "d"], ["a", "b"], ["a", "c"], ["b", "d"], ["c", "d"]);
    const overlap = graph(["d", "e", "x"], ["d", "e"], ["x", "e"]);
    assert.deepStrictEqual(named(rootsOf([diamond, overlap])), [
      ["a", 4],
      ["x", 1],
    ]);
  });

  it("[dashboard.overview.roots] are open, and block open issues", () => {
    const nodes = [issue("a", "Resolved"), issue("b"), issue("c"), issue("d", "Closed")];
    const edges = [
      { from: "a", to: "b" },
      { from: "b", to: "c" },
      { from: "c", to: "d" },
    ];
    assert.deepStrictEqual(named(rootsOf([{ nodes, edges }])), [["b", 1]]);
    assert.deepStrictEqual(rootsOf([]), []);
  });
});
