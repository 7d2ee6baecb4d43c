import { assert, describe } from "@effect/vitest";
import { Agents, Projects, Search } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect } from "effect";
import { check, create, refusal } from "../support/World.ts";

const find = (q: string, limit = 20) =>
  Search.Search.use((search) =>
    Effect.map(search.find({ q, limit }), (found) => found.map(({ id, kind }) => [kind, id])),
  );

describe("Search", () => {
  check(
    "[search.all] projects, agents and servers are found by name, before issues by relevance",
    Effect.gen(function* () {
      const agents = yield* Agents.Agents;
      const admin = Callers.as(Callers.user("root", { role: "Admin" }));
      yield* admin(agents.put("refunder", { name: "Money back" }));
      const comment = yield* create({ title: "Orders", description: "refund them" }, "shop");
      const title = yield* create({ title: "Refund orders" }, "refunds");
      assert.deepStrictEqual(yield* find("refun"), [
        ["project", "refunds"],
        ["agent", "refunder"],
        ["issue", title.id],
        ["issue", comment.id],
      ]);
      assert.deepStrictEqual(yield* find("mon back"), []);
      assert.deepStrictEqual(yield* find("money ba"), [["agent", "refunder"]]);
      assert.lengthOf(yield* find("refun", 3), 3);
      assert.deepStrictEqual(yield* find("?!"), []);
      assert.deepStrictEqual(yield* find("  "), []);
      const [project] = yield* Search.Search.use((search) => search.find({ q: "REFUNDS" }));
      assert.deepStrictEqual(project, {
        kind: "project",
        id: "refunds",
        key: null,
        projectId: "refunds",
        title: "refunds",
        matchedIn: ["title"],
        snippet: "\u0002refunds\u0003",
      });
      yield* admin(
        Projects.Projects.use((projects) => projects.put("refunds", { name: "Give back" })),
      );
      assert.deepStrictEqual(yield* find("give ba"), [["project", "refunds"]]);
      const [named] = yield* Search.Search.use((search) => search.find({ q: "refunds" }));
      assert.strictEqual(named?.title, "Give back");
      const bound = Callers.as(Callers.user("ada", { role: "Viewer", projects: ["shop"] }));
      assert.deepStrictEqual(yield* bound(find("refun")), [
        ["agent", "refunder"],
        ["issue", comment.id],
      ]);
      for (const limit of [0, 51]) {
        assert.deepInclude(yield* refusal(find("x", limit)), { _tag: "InvalidRequest" });
      }
    }),
  );
});
