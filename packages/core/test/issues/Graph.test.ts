import { assert, describe } from "@effect/vitest";
import { Issues } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect } from "effect";
import { check, create, link, project, put, refusal } from "../support/World.ts";

const graph = (id: string, depth?: number) =>
  Issues.Issues.use((issues) => issues.graph(id, depth === undefined ? {} : { depth }));

const projectGraph = (id: string, depth?: number) =>
  Issues.Issues.use((issues) => issues.projectGraph(id, depth === undefined ? {} : { depth }));

const titles = ({ nodes }: { readonly nodes: ReadonlyArray<{ readonly title: string }> }) =>
  nodes.map(({ title }) => title);

/** Issues by title, each blocked by the ones before it in its chain: `a > b > c`. */
const chains = Effect.fnUntraced(function* (...chains: ReadonlyArray<string>) {
  const found = new Map<string, string>();
  for (const chain of chains) {
    const names = chain.split(" > ");
    for (const name of names) {
      if (!found.has(name)) found.set(name, (yield* create({ title: name })).id);
    }
    for (const [index, name] of names.slice(1).entries()) {
      yield* link(found.get(name) ?? "", "BlockedBy", found.get(names[index] ?? "") ?? "");
    }
  }
  return (name: string) => found.get(name) ?? "";
});

describe("Graphs", () => {
  check(
    "[graph.issue] an issue's graph has its transitive blockers and dependents, and every edge between them",
    Effect.gen(function* () {
      const id = yield* chains(
        "first > second > me > third > fourth",
        "first > third",
        "second > sibling",
        "unrelated",
      );
      yield* link(id("me"), "RelatedTo", id("unrelated"));
      yield* put(id("first"), { status: "Resolved" });
      const found = yield* graph(id("me"));
      assert.deepStrictEqual(titles(found), ["me", "second", "first", "third", "fourth"]);
      assert.deepStrictEqual(
        found.edges.map(({ from, to }) => [from, to]),
        [
          [id("first"), id("second")],
          [id("second"), id("me")],
          [id("me"), id("third")],
          [id("third"), id("fourth")],
          [id("first"), id("third")],
        ],
      );
      assert.isFalse(found.truncated);
      assert.deepInclude(found.nodes[0], { blockedByCount: 1, blocksCount: 1, liveRun: null });
      assert.notProperty(found.nodes[0], "description");
      const alone = yield* graph(id("unrelated"));
      assert.deepStrictEqual([titles(alone), alone.edges], [["unrelated"], []]);
      assert.strictEqual((yield* refusal(graph("iss_none")))._tag, "NotFound");
    }),
  );

  check(
    "[graph.depth] a graph goes 1 to 50 links far, and says whether there are more issues",
    Effect.gen(function* () {
      const names = Array.from({ length: 14 }, (_, n) => `n${n}`);
      const id = yield* chains(names.join(" > "));
      const near = yield* graph(id("n5"), 1);
      assert.deepStrictEqual(titles(near), ["n5", "n4", "n6"]);
      assert.lengthOf(near.edges, 2);
      assert.isTrue(near.truncated);
      const byDefault = yield* graph(id("n0"));
      assert.deepStrictEqual(titles(byDefault), names.slice(0, 11));
      assert.isTrue(byDefault.truncated);
      const exact = yield* graph(id("n0"), 13);
      assert.deepStrictEqual([exact.nodes.length, exact.truncated], [14, false]);
      assert.isFalse((yield* graph(id("n3"))).truncated);
      for (const depth of [0, 51, 1.5]) {
        for (const call of [graph(id("n0"), depth), projectGraph(project, depth)]) {
          assert.deepInclude(yield* refusal(call), { _tag: "InvalidRequest" });
        }
      }
    }),
  );

  check(
    "[graph.project] a project's graph has its issues, and what they wait for in other projects",
    Effect.gen(function* () {
      const done = yield* create({ title: "done" });
      yield* put(done.id, { status: "Resolved" });
      const open = yield* create({ title: "open" });
      const alone = yield* create({ title: "alone" });
      const blocker = yield* create({ title: "blocker" }, "other");
      const root = yield* create({ title: "root" }, "other");
      yield* create({ title: "elsewhere" }, "other");
      yield* link(open.id, "BlockedBy", blocker.id);
      yield* link(blocker.id, "BlockedBy", root.id);
      yield* link(done.id, "Blocks", root.id);
      const found = yield* projectGraph(project);
      assert.deepStrictEqual(titles(found), ["alone", "open", "blocker", "root", "done"]);
      assert.deepStrictEqual(found.edges, [
        { from: blocker.id, to: open.id },
        { from: root.id, to: blocker.id },
        { from: done.id, to: root.id },
      ]);
      assert.isFalse(found.truncated);
      const near = yield* projectGraph(project, 1);
      assert.deepStrictEqual(titles(near), ["alone", "open", "blocker", "done", "root"]);
      assert.deepStrictEqual((yield* projectGraph("empty")).nodes, []);
      assert.strictEqual(alone.title, "alone");

      const bound = Callers.as(Callers.user("bob", { projects: [project] }));
      const seen = yield* bound(projectGraph(project));
      assert.deepStrictEqual(titles(seen), ["alone", "open", "done"]);
      assert.deepStrictEqual([seen.edges, seen.truncated], [[], false]);
      assert.strictEqual((yield* refusal(bound(projectGraph("other"))))._tag, "NotFound");
      assert.deepStrictEqual(titles(yield* bound(graph(open.id))), ["open"]);
      assert.strictEqual((yield* refusal(bound(graph(root.id))))._tag, "NotFound");
    }),
  );

  check(
    "[graph.limit] a graph has up to 500 issues, open issues first",
    Effect.gen(function* () {
      const star = yield* Issues.Issues.use((issues) =>
        issues.plan(project, {
          issues: Array.from({ length: 500 }, (_, n) => ({
            ref: `r${n}`,
            title: `t${n}`,
            ...(n === 0 ? {} : { blockedBy: ["r0"] }),
          })),
        }),
      );
      const hub = star[0]?.issue.id ?? "";
      const whole = yield* graph(hub);
      assert.deepStrictEqual([whole.nodes.length, whole.edges.length], [500, 499]);
      assert.isFalse(whole.truncated);
      assert.isFalse((yield* projectGraph(project)).truncated);
      const more = yield* create({ title: "more", blockedByIssueId: hub });
      const cut = yield* graph(hub);
      assert.deepStrictEqual(titles(cut), titles(whole));
      assert.isTrue(cut.truncated);
      assert.isTrue((yield* projectGraph(project)).truncated);
      yield* put(more.id, { status: "Closed" });
      const open = yield* projectGraph(project);
      assert.isTrue(open.truncated);
      assert.notInclude(titles(open), "more");
    }),
  );
});
