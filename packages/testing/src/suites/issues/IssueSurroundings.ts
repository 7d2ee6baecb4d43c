import { assert } from "@effect/vitest";
import { type Issue, IssueStore } from "@quartermaster/core";
import { Effect } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import type { Storage } from "../../Storage.ts";
import type { It } from "../../Suite.ts";

const now = Fixtures.at(100);
const alone = { blockedByCount: 0, blocksCount: 0, openQuestions: 0, liveRun: null };

/** Tests of the live run and the counts of an issue. */
export const tests = (it: It<Storage>): void => {
  it.effect("surroundings counts open issues of the projects at both ends of Blocks links", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const issue = yield* Fixtures.issue({ projectId: "a" });
      const others: ReadonlyArray<Partial<Issue.IssueRow>> = [
        { projectId: "a" },
        { projectId: "a", status: "PendingReview" },
        { projectId: "b" },
        { projectId: "a", status: "Resolved" },
        { projectId: "a", status: "Closed" },
      ];
      for (const fields of others) {
        yield* Fixtures.link(yield* Fixtures.issue(fields), issue);
        yield* Fixtures.link(issue, yield* Fixtures.issue(fields));
      }
      const last = yield* Fixtures.issue({ projectId: "a" });
      yield* Fixtures.link(issue, last);
      yield* Fixtures.link(last, issue, { relation: "RelatedTo" });
      const counts = (projects: ReadonlyArray<string> | null) =>
        Effect.map(issues.surroundings([issue.id], projects, now), ([found]) => [
          found?.blockedByCount,
          found?.blocksCount,
        ]);
      assert.deepStrictEqual(yield* counts(null), [3, 4]);
      assert.deepStrictEqual(yield* counts(["a"]), [2, 3]);
      assert.deepStrictEqual(yield* counts(["b", "c"]), [1, 1]);
      assert.deepStrictEqual(yield* counts([]), [0, 0]);
    }),
  );

  it.effect(
    "surroundings has the questions that are open and the run that is live at the time",
    () =>
      Effect.gen(function* () {
        const issues = yield* IssueStore.IssueStore;
        const issue = yield* Fixtures.issue();
        yield* Fixtures.question(issue, { blocking: false });
        yield* Fixtures.question(issue, { expiresAt: Fixtures.at(101) });
        yield* Fixtures.question(issue, { expiresAt: now });
        yield* Fixtures.question(issue, { status: "answered" });
        yield* Fixtures.run(issue, Fixtures.ended(Fixtures.at(1)));
        const run = yield* Fixtures.run(issue, {
          status: "stopping",
          leaseExpiresAt: Fixtures.at(101),
        });
        const dead = yield* Fixtures.issue();
        yield* Fixtures.run(dead, { leaseExpiresAt: now });
        const { agentId, id: runId, leaseExpiresAt } = run;
        const liveRun = { runId, agentId, leaseExpiresAt };
        assert.deepStrictEqual(
          yield* issues.surroundings([dead.id, issue.id, "iss_unknown"], null, now),
          [alone, { ...alone, openQuestions: 2, liveRun }, alone],
        );
        assert.deepStrictEqual(yield* issues.surroundings([], null, now), []);
      }),
  );
};
