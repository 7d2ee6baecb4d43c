import { assert } from "@effect/vitest";
import { type Issue, IssueStore, type IssueFilter } from "@quartermaster/core";
import { Effect } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { everything, ids, type It } from "../../Suite.ts";

/**
 * Tests of lists that storages derive from several rows: by label, in each order, and of ready
 * issues.
 */
export const tests = (it: It<Storage>): void => {
  it.effect("labels follow updates, moves and removals in every order", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      const labels = ["bug", "ui"];
      const [a, b, c] = yield* Effect.all([
        Fixtures.issue({ projectId, labels, priority: "low" }),
        Fixtures.issue({ projectId, labels }),
        Fixtures.issue({ projectId, labels: ["ui"] }),
      ]);
      const found = (sort: IssueFilter.IssueSort, ...label: ReadonlyArray<string>) =>
        Effect.map(
          issues.list(
            { projectId, label: label.map((one) => [one]), sort },
            { ...everything, order: "desc" },
          ),
          ids,
        );
      yield* transact(
        issues.update([
          { ...a, priority: "urgent", updatedAt: Fixtures.at(5) },
          { ...c, labels: ["bug"], updatedAt: Fixtures.at(7) },
        ]),
      );
      yield* transact(issues.move([{ ...b, updatedAt: Fixtures.at(6) }]));
      assert.deepStrictEqual(yield* found("updated", "bug"), [c.id, b.id, a.id]);
      assert.deepStrictEqual(yield* found("priority", "bug"), [a.id, b.id, c.id]);
      assert.deepStrictEqual(yield* found("created", "ui"), [b.id, a.id]);
      assert.deepStrictEqual(yield* found("updated", "bug", "ui"), [b.id, a.id]);
      yield* transact(issues.remove(b.id));
      assert.deepStrictEqual(yield* found("priority", "ui"), [a.id]);
      yield* transact(issues.update([{ ...a, labels: [] }]));
      assert.deepStrictEqual(yield* found("created", "ui"), []);
      assert.deepStrictEqual(yield* found("updated", "bug"), [c.id]);
    }),
  );

  it.effect("ready lists the issues that a claim would start, in every order", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      const agentId = yield* Fixtures.id("agent");
      const now = Fixtures.at(100);
      const make = (fields: Partial<Issue.IssueRow> = {}) =>
        Fixtures.issue({ projectId, assignedAgentId: agentId, ...fields });
      const first = yield* make({ priority: "low", updatedAt: Fixtures.at(3) });
      const running = yield* make();
      yield* Fixtures.run(running, { leaseExpiresAt: Fixtures.at(100.001) });
      const deferred = yield* make({ notBefore: Fixtures.at(100.001) });
      const asking = yield* make();
      yield* Fixtures.question(asking);
      const blocked = yield* make();
      yield* Fixtures.link(first, blocked);
      const others = yield* Effect.all([
        make({ pausedBecause: "person" }),
        make({ status: "PendingReview" }),
        make({ assignedAgentId: null }),
      ]);
      const second = yield* make({ status: "InProgress", updatedAt: Fixtures.at(2) });
      const found = (is: boolean, sort: IssueFilter.IssueSort = "created") =>
        Effect.map(issues.list({ projectId, ready: { is, now }, sort }, everything), ids);
      assert.deepStrictEqual(yield* found(true), [first.id, second.id]);
      assert.deepStrictEqual(yield* found(true, "updated"), [second.id, first.id]);
      assert.deepStrictEqual(yield* found(true, "priority"), [first.id, second.id]);
      const not = ids([running, deferred, asking, blocked, ...others]);
      assert.deepStrictEqual(yield* found(false), not);
      const claimable = yield* issues.claimable(agentId, null, 100, now);
      assert.sameMembers(
        claimable.map(({ issue }) => issue.id),
        [first.id, second.id],
      );
      const later = { is: true, now: Fixtures.at(101) };
      const all = yield* issues.listAcross({ projects: null, agentId, ready: later }, everything);
      assert.deepStrictEqual(ids(all), ids([first, running, deferred, second]));
    }),
  );
};
