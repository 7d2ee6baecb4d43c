import { assert } from "@effect/vitest";
import { Issue, IssueStore } from "@quartermaster/core";
import { Effect } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import type { It } from "../../Suite.ts";

const counts = (some: Partial<Issue.StatusCounts> = {}) =>
  Issue.countsOf((status) => some[status] ?? 0);

export const tests = (it: It<Storage>): void => {
  it.effect("countByStatus counts the issues of projects, or of all of them", () =>
    Effect.gen(function* () {
      const { countByStatus } = yield* IssueStore.IssueStore;
      const [a, b, c] = yield* Effect.all([
        Fixtures.id("project"),
        Fixtures.id("project"),
        Fixtures.id("project"),
      ]);
      const before = yield* countByStatus(null);
      for (const status of Issue.IssueStatus.literals) {
        yield* Fixtures.issue({ projectId: a, status });
      }
      yield* Fixtures.issue({ projectId: a, status: "Open" });
      yield* Fixtures.issue({ projectId: b, status: "Closed" });
      const all = yield* countByStatus(null);
      assert.deepStrictEqual(
        Issue.countsOf((status) => all[status] - before[status]),
        { ...Issue.countsOf(() => 1), Open: 2, Closed: 2 },
      );
      assert.deepStrictEqual(yield* countByStatus([a]), { ...Issue.countsOf(() => 1), Open: 2 });
      assert.deepStrictEqual(yield* countByStatus([b, c]), counts({ Closed: 1 }));
      assert.deepStrictEqual(yield* countByStatus([a.toUpperCase()]), counts());
      assert.deepStrictEqual(yield* countByStatus([]), counts());
    }),
  );

  it.effect("countByStatus follows updates, moves and removals, even in batches", () =>
    Effect.gen(function* () {
      const { countByStatus, move, remove, update } = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      const elsewhere = yield* Fixtures.id("project");
      const a = yield* Fixtures.issue({ projectId, status: "Open" });
      const b = yield* Fixtures.issue({ projectId, status: "Open" });
      const c = yield* Fixtures.issue({ projectId: elsewhere, status: "InProgress" });
      yield* transact(update([{ ...a, title: "Renamed", status: "PendingReview" }]));
      assert.deepStrictEqual(
        yield* countByStatus([projectId, elsewhere]),
        counts({ Open: 1, InProgress: 1, PendingReview: 1 }),
      );
      yield* transact(move([a, b, c].map((row) => ({ ...Issue.stateOf(row), status: "Closed" }))));
      yield* transact(move([{ ...Issue.stateOf(b), status: "Closed", version: 9 }]));
      assert.deepStrictEqual(yield* countByStatus([projectId]), counts({ Closed: 2 }));
      assert.deepStrictEqual(yield* countByStatus([elsewhere]), counts({ Closed: 1 }));
      yield* transact(remove(c.id));
      yield* transact(remove(c.id));
      assert.deepStrictEqual(yield* countByStatus([projectId]), counts({ Closed: 2 }));
      assert.deepStrictEqual(yield* countByStatus([elsewhere]), counts());
    }),
  );

  it.effect("countByStatus forgets changes that are rolled back", () =>
    Effect.gen(function* () {
      const { countByStatus, insert, remove } = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      const issue = yield* Fixtures.issue({ projectId, status: "Open" });
      const rolledBack = <E>(change: Effect.Effect<unknown, E>) =>
        Effect.flip(transact(Effect.andThen(change, Effect.fail("rolled back"))));
      yield* rolledBack(remove(issue.id));
      yield* rolledBack(insert(yield* Fixtures.issueRow({ projectId })));
      assert.deepStrictEqual(yield* countByStatus([projectId]), counts({ Open: 1 }));
    }),
  );
};
