import { assert, describe, it } from "@effect/vitest";
import {
  type GraphIssue,
  type IssueGraph,
  modelOf,
  openOf,
} from "../src/data/issues/dependencies.ts";
import { findIn, folded } from "../src/graph/fold.ts";
import { layout } from "../src/graph/layout.ts";
import { sizeOf } from "../src/graph/size.ts";

const issue = (id: string, status: GraphIssue["status"] = "Open"): GraphIssue => ({
  id,
  key: "WEB-1",
  projectId: "web",
  title: id,
  status,
  priority: "normal",
  assignedAgentId: null,
  assigneeUserId: null,
  goalId: null,
  paused: false,
  pausedBecause: null,
  attempts: 0,
  notBefore: null,
  labels: [],
  externalRef: null,
  version: 1,
  createdBy: { type: "User", id: "mara" },
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  startedAt: null,
  resolvedAt: null,
  closedAt: null,
  blockedByCount: 0,
  blocksCount: 0,
  openQuestions: 0,
  liveRun: null,
});

/** A graph from a text: `a>b` is an edge from a, which blocks b. The ids in `done` are resolved. */
const graph = (text: string, done = "", alone = ""): IssueGraph => {
  const edges = text.split(" ").map((pair) => {
    const [from = "", to = ""] = pair.split(">");
    return { from, to };
  });
  const ids = new Set([...edges.flatMap(({ from, to }) => [from, to]), ...alone]);
  return {
    nodes: [...ids].map((id) => issue(id, done.includes(id) ? "Resolved" : "Open")),
    edges,
    truncated: false,
  };
};

describe("the graph's model", () => {
  it("[dashboard.graph] open issues that wait are counted once, even where chains meet", () => {
    const { alone, byId, items } = modelOf(graph("a>b a>c b>d c>d x>y", "", "z"));
    assert.strictEqual(items[0]?.issue.id, "a");
    assert.strictEqual(byId.get("a")?.waiting, 3);
    assert.strictEqual(byId.get("x")?.waiting, 1);
    assert.strictEqual(alone, 1);
    assert.isAbove(sizeOf(3, 3).width, sizeOf(1, 3).width);
  });

  it("[dashboard.graph] the critical chain is the longest one of open issues", () => {
    const { critical, edges } = modelOf(graph("p>q q>a a>b b>c x>y y>c", "pq"));
    assert.strictEqual(critical.map(({ id }) => id).join(""), "abc");
    assert.deepStrictEqual(
      edges.filter(({ isCritical }) => isCritical).map(({ from, to }) => from + to),
      ["ab", "bc"],
    );
    assert.deepStrictEqual(modelOf(graph("a>b b>c", "abc")).critical, []);
    assert.deepStrictEqual(modelOf(graph("a>b b>c", "b")).critical, []);
  });

  it("[dashboard.graph] no two issues overlap, and a blocker is to the left of what it blocks", () => {
    const { edges, items } = modelOf(graph("a>b a>c b>d c>d x>y s>t t>u"));
    const nodes = items.map(({ issue: { id }, waiting }) => ({ id, ...sizeOf(waiting, 3) }));
    const positions = layout({ id: 1, nodes, edges });
    const boxes = nodes.map(({ height, id, width }) => {
      const { x = 0, y = 0 } = positions[id] ?? {};
      return { id, x, y, right: x + width, bottom: y + height };
    });
    for (const { from, to } of edges) {
      const left = boxes.find(({ id }) => id === from);
      const right = boxes.find(({ id }) => id === to);
      assert.isBelow(left?.right ?? 0, right?.x ?? 0);
    }
    for (const a of boxes) {
      for (const b of boxes) {
        if (a.id === b.id) continue;
        assert.isFalse(a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom);
      }
    }
  });

  it("[dashboard.graph.fold] leaves of one issue are folded, except found, critical and shared ones", () => {
    const leaves = Array.from({ length: 7 }, (_, n) => `a>l${n}`).join(" ");
    const model = modelOf(graph(`a>b b>c ${leaves} b>l6`));
    const none = new Set<string>();
    const { folds, model: shown } = folded(model, none, none);
    assert.deepStrictEqual(folds, [{ id: "+a", parent: "a", count: 6 }]);
    assert.sameMembers(
      shown.items.map(({ issue }) => issue.id),
      ["a", "b", "c", "l6"],
    );
    assert.isTrue(shown.edges.every(({ to }) => !/l[0-5]/.test(to)));
    assert.strictEqual(folded(model, none, findIn(model, "L3")).folds[0]?.count, 5);
    assert.deepStrictEqual(folded(model, new Set(["a"]), none), { model, folds: [] });
    const open = modelOf(openOf(graph("a>b b>c", "a")));
    assert.sameMembers(
      open.items.map(({ issue }) => issue.id),
      ["b", "c"],
    );
  });
});
