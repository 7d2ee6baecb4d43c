import { assert } from "@effect/vitest";
import { IssueStore, Transactor } from "@quartermaster/core";
import { Effect, Exit, Option } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import type { Storage } from "../../Storage.ts";
import { ids, type It, everything } from "../../Suite.ts";

export const tests = (it: It<Storage>): void => {
  it.effect("a relaxed transaction commits all of its change, or nothing of it", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const { transactRelaxed } = yield* Transactor.Transactor;
      const kept = yield* Fixtures.issueRow();
      const lost = yield* Fixtures.issueRow();
      yield* transactRelaxed(issues.insert(kept));
      assert.isTrue(Option.isSome(yield* issues.get(kept.id)));
      const exit = yield* Effect.exit(
        transactRelaxed(Effect.andThen(issues.insert(lost), Effect.fail("no"))),
      );
      assert.deepStrictEqual(exit, Exit.fail("no"));
      assert.isTrue(Option.isNone(yield* issues.get(lost.id)));
    }),
  );

  it.effect(
    "relaxed and other transactions at the same time all commit, and may contain each other",
    () =>
      Effect.gen(function* () {
        const issues = yield* IssueStore.IssueStore;
        const { afterCommit, transact, transactRelaxed } = yield* Transactor.Transactor;
        const projectId = yield* Fixtures.id("project");
        const rows = yield* Effect.all(
          Array.from({ length: 8 }, () => Fixtures.issueRow({ projectId })),
        );
        const insert = (n: number) => Effect.forEach(rows.slice(n, n + 1), issues.insert);
        const log: Array<number> = [];
        const say = (n: number) => afterCommit(Effect.sync(() => void log.push(n)));
        yield* Effect.all(
          [
            transactRelaxed(insert(0)),
            transact(insert(1)),
            transactRelaxed(Effect.andThen(insert(2), transact(insert(3)))),
            transact(Effect.andThen(insert(4), transactRelaxed(insert(5)))),
            transactRelaxed(Effect.andThen(insert(6), say(6))),
            transact(Effect.andThen(insert(7), say(7))),
          ],
          { concurrency: "unbounded" },
        );
        const stored = yield* issues.list({ projectId }, everything);
        assert.deepStrictEqual(ids(stored).toSorted(), ids(rows).toSorted());
        assert.sameMembers(log, [6, 7]);
      }),
  );
};
