import { assert } from "@effect/vitest";
import { IssueStore, LinkStore } from "@quartermaster/core";
import { Effect } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { ids, type It } from "../../Suite.ts";

type Query = Parameters<LinkStore.LinkStore["Service"]["neighbors"]>[0];

const neighbors = (
  side: Query["side"],
  issues: ReadonlyArray<{ readonly id: string }>,
  query: Partial<Query> = {},
) =>
  LinkStore.LinkStore.use((links) =>
    links.neighbors({ side, issueIds: ids(issues), projects: null, limit: 500, ...query }),
  );

const edges = (...issues: ReadonlyArray<{ readonly id: string }>) =>
  LinkStore.LinkStore.use((links) => links.edges(ids(issues)));

const issuesIn = (...projects: ReadonlyArray<string>) =>
  Effect.forEach(projects, (projectId) => Fixtures.issue({ projectId }));

export const tests = (it: It<Storage>): void => {
  it.effect("neighbors are the blockers or the dependents of some issues, oldest link first", () =>
    Effect.gen(function* () {
      const [a, b, c, d] = yield* issuesIn("p", "p", "q", "p");
      if (a === undefined || b === undefined || c === undefined || d === undefined) return;
      yield* Fixtures.link(b, c);
      yield* Fixtures.link(a, c);
      yield* Fixtures.link(a, d);
      yield* Fixtures.link(b, d);
      yield* Fixtures.link(d, a, { relation: "RelatedTo" });
      yield* Fixtures.link(a, b, { relation: "DuplicateOf" });
      assert.deepStrictEqual(yield* neighbors("blockers", [c]), ids([b, a]));
      assert.deepStrictEqual(yield* neighbors("blockers", [d]), ids([a, b]));
      assert.deepStrictEqual(yield* neighbors("blockers", [d, c]), ids([b, a]));
      assert.deepStrictEqual(yield* neighbors("dependents", [a, b]), ids([c, d]));
      assert.deepStrictEqual(yield* neighbors("blockers", [a, b]), []);
      assert.deepStrictEqual(yield* neighbors("dependents", [c, d]), []);
      assert.deepStrictEqual(yield* neighbors("dependents", []), []);
      const q = { projects: ["q", "none"] };
      assert.deepStrictEqual(yield* neighbors("dependents", [a, b], q), ids([c]));
      assert.deepStrictEqual(yield* neighbors("dependents", [a], { projects: [] }), []);
      assert.deepStrictEqual(yield* neighbors("dependents", [a, b], { limit: 1 }), ids([c]));
    }),
  );

  it.effect("edges are the Blocks relations between two of the issues, oldest first", () =>
    Effect.gen(function* () {
      const [a, b, c, d] = yield* issuesIn("p", "q", "p", "p");
      if (a === undefined || b === undefined || c === undefined || d === undefined) return;
      yield* Fixtures.link(b, c);
      yield* Fixtures.link(a, b);
      yield* Fixtures.link(c, d);
      yield* Fixtures.link(a, c, { relation: "RelatedTo" });
      const bc = { from: b.id, to: c.id };
      const ab = { from: a.id, to: b.id };
      assert.deepStrictEqual(yield* edges(a, b, c), [bc, ab]);
      assert.deepStrictEqual(yield* edges(c, a), []);
      assert.deepStrictEqual(yield* edges(), []);
      yield* IssueStore.IssueStore.use((issues) => transact(issues.remove(c.id)));
      assert.deepStrictEqual(yield* edges(a, b, c, d), [ab]);
      assert.deepStrictEqual(yield* neighbors("blockers", [d]), []);
    }),
  );
};
