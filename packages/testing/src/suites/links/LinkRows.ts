import { assert } from "@effect/vitest";
import { IssueStore, LinkStore } from "@quartermaster/core";
import { Effect, Option } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { assertIds, checkPaging, everything, ids, type It } from "../../Suite.ts";

const linkCounts = (...issueIds: ReadonlyArray<string>) =>
  IssueStore.IssueStore.use((issues) =>
    Effect.forEach(issueIds, (issueId) =>
      Effect.map(Effect.flatMap(issues.get(issueId), Effect.fromOption), (row) => row.linkCount),
    ),
  );

export const tests = (it: It<Storage>): void => {
  it.effect("insert stores every field and assigns a growing seq; remove removes", () =>
    Effect.gen(function* () {
      const links = yield* LinkStore.LinkStore;
      const a = yield* Fixtures.issue({ projectId: "here" });
      const b = yield* Fixtures.issue({ projectId: "there" });
      const row = yield* Fixtures.linkRow(a, b, {
        relation: "DuplicateOf",
        createdBy: { type: "Agent", id: "agent" },
        createdAt: Fixtures.at(1.5),
      });
      const kept = yield* transact(links.insert(row));
      assert.deepStrictEqual(kept, { ...row, seq: kept.seq });
      assert.deepStrictEqual(yield* links.get(kept.id), Option.some(kept));
      const next = yield* Fixtures.link(b, a);
      assert.isAbove(next.seq, kept.seq);
      yield* transact(links.remove(kept.id));
      assert.deepStrictEqual(yield* links.get(kept.id), Option.none());
      assert.deepStrictEqual(yield* links.get(next.id), Option.some(next));
      assert.deepStrictEqual(yield* links.list(a.id, null, everything), [next]);
    }),
  );

  it.effect("linkCount of both ends follows insert, remove and the removal of an issue", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const links = yield* LinkStore.LinkStore;
      const a = yield* Fixtures.issue();
      const b = yield* Fixtures.issue();
      const c = yield* Fixtures.issue();
      const ab = yield* Fixtures.link(a, b);
      yield* Fixtures.link(b, a, { relation: "RelatedTo" });
      yield* Fixtures.link(c, a, { relation: "DuplicateOf" });
      assert.deepStrictEqual(yield* linkCounts(a.id, b.id, c.id), [3, 2, 1]);
      yield* transact(links.remove(ab.id));
      yield* transact(links.remove(ab.id));
      yield* transact(links.remove("lnk_unknown"));
      assert.deepStrictEqual(yield* linkCounts(a.id, b.id, c.id), [2, 1, 1]);
      yield* transact(issues.remove(c.id));
      assert.deepStrictEqual(yield* linkCounts(a.id, b.id), [1, 1]);
      yield* transact(issues.update([{ ...b, linkCount: 17, title: "renamed" }]));
      assert.deepStrictEqual(yield* linkCounts(a.id, b.id), [1, 1]);
    }),
  );

  it.effect("find takes the direction into account, except for RelatedTo", () =>
    Effect.gen(function* () {
      const links = yield* LinkStore.LinkStore;
      const a = yield* Fixtures.issue();
      const b = yield* Fixtures.issue();
      const c = yield* Fixtures.issue();
      const blocks = yield* Fixtures.link(a, b);
      const related = yield* Fixtures.link(a, b, { relation: "RelatedTo" });
      const duplicate = yield* Fixtures.link(b, a, { relation: "DuplicateOf" });
      yield* Fixtures.link(c, a);
      assert.deepStrictEqual(yield* links.find("Blocks", a.id, b.id), Option.some(blocks));
      assert.deepStrictEqual(yield* links.find("Blocks", b.id, a.id), Option.none());
      assert.deepStrictEqual(yield* links.find("RelatedTo", a.id, b.id), Option.some(related));
      assert.deepStrictEqual(yield* links.find("RelatedTo", b.id, a.id), Option.some(related));
      assert.deepStrictEqual(yield* links.find("DuplicateOf", b.id, a.id), Option.some(duplicate));
      assert.deepStrictEqual(yield* links.find("DuplicateOf", a.id, b.id), Option.none());
      assert.deepStrictEqual(yield* links.find("RelatedTo", a.id, c.id), Option.none());
      assert.deepStrictEqual(yield* links.find("Blocks", a.id, "iss_unknown"), Option.none());
    }),
  );

  it.effect("list shows the links at either end, page by page, in both orders", () =>
    Effect.gen(function* () {
      const links = yield* LinkStore.LinkStore;
      const issue = yield* Fixtures.issue();
      let outgoing = false;
      yield* checkPaging(
        (slice) => links.list(issue.id, null, slice),
        Effect.gen(function* () {
          const a = yield* Fixtures.issue();
          const b = yield* Fixtures.issue();
          yield* Fixtures.link(a, b);
          outgoing = !outgoing;
          const { id } = yield* outgoing ? Fixtures.link(issue, a) : Fixtures.link(b, issue);
          return id;
        }),
      );
    }),
  );

  it.effect("list omits links to other projects", () =>
    Effect.gen(function* () {
      const links = yield* LinkStore.LinkStore;
      const issue = yield* Fixtures.issue({ projectId: "mine" });
      const mine = yield* Fixtures.issue({ projectId: "mine" });
      const other = yield* Fixtures.issue({ projectId: "other" });
      const third = yield* Fixtures.issue({ projectId: "third" });
      const all = [
        yield* Fixtures.link(issue, mine),
        yield* Fixtures.link(other, issue),
        yield* Fixtures.link(issue, third),
        yield* Fixtures.link(mine, issue, { relation: "RelatedTo" }),
        yield* Fixtures.link(issue, other, { relation: "DuplicateOf" }),
      ];
      const [first, second, third_, fourth, fifth] = ids(all);
      const list = (projects: ReadonlyArray<string> | null, limit = 500) =>
        Effect.map(links.list(issue.id, projects, { ...everything, limit }), ids);
      assertIds(yield* list(null), [first, second, third_, fourth, fifth]);
      assertIds(yield* list(["mine"]), [first, fourth]);
      assertIds(yield* list(["other", "third"]), [second, third_, fifth]);
      assertIds(yield* list(["other", "third"], 2), [second, third_]);
      assert.deepStrictEqual(yield* list(["Mine"]), []);
      assert.deepStrictEqual(yield* list([]), []);
      const back = yield* links.list(issue.id, ["mine"], { limit: 1, order: "desc", after: null });
      assertIds(ids(back), [fourth]);
    }),
  );
};
