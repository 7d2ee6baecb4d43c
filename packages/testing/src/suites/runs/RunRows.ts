import { assert } from "@effect/vitest";
import { IssueStore, type Run, RunStore } from "@quartermaster/core";
import { Effect, Exit, Option } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { type It, ids } from "../../Suite.ts";

const stopping = { status: "stopping", stopReason: "paused" } as const;

export const tests = (it: It<Storage>): void => {
  it.effect("insert stores every field of several runs, in order", () =>
    Effect.gen(function* () {
      const runs = yield* RunStore.RunStore;
      const [a, b] = yield* Effect.all([Fixtures.issue({ projectId: "p" }), Fixtures.issue()]);
      const ended = yield* Fixtures.runRow(a, {
        agentId: "agent",
        status: "ended",
        outcome: "failed",
        startedAt: Fixtures.at(0.5),
        leaseExpiresAt: Fixtures.at(10.001),
        leaseSeconds: 86_400,
        endedAt: Fixtures.at(5.999),
        stopReason: "statusChanged",
        commentSeq: 42,
        versionSeq: 43,
      });
      const rows = [ended, yield* Fixtures.runRow(a), yield* Fixtures.runRow(b, stopping)];
      yield* transact(runs.insert(rows));
      const kept = (yield* Effect.forEach(rows, ({ id }) => runs.get(id))).map(Option.getOrThrow);
      assert.deepStrictEqual(
        kept,
        rows.map((row, n) => ({ ...row, seq: kept[n]?.seq ?? 0 })),
      );
      const seqs = kept.map(({ seq }) => seq);
      assert.deepStrictEqual(
        seqs,
        seqs.toSorted((x, y) => x - y),
      );
      assert.strictEqual(new Set(seqs).size, 3);
      assert.deepStrictEqual(yield* runs.get("run_unknown"), Option.none());
      yield* transact(runs.insert([]));
    }),
  );

  it.effect("hasOther finds other runs of the agent on the issue, including ended runs", () =>
    Effect.gen(function* () {
      const runs = yield* RunStore.RunStore;
      const issue = yield* Fixtures.issue();
      const other = yield* Fixtures.issue();
      const live = { agentId: "bot" };
      const ended = { status: "ended", endedAt: Fixtures.at(5) } as const;
      const run = yield* Fixtures.run(issue, live);
      const more = [
        yield* Fixtures.runRow(issue, { agentId: "eve", ...ended }),
        yield* Fixtures.runRow(other, live),
      ];
      yield* transact(runs.insert(more));
      assert.isFalse(yield* runs.hasOther(run));
      yield* transact(runs.insert([yield* Fixtures.runRow(issue, { ...live, ...ended })]));
      assert.isTrue(yield* runs.hasOther(run));
    }),
  );

  it.effect("stored knows whether the issue was deleted and whether the run is its latest", () =>
    Effect.gen(function* () {
      const runs = yield* RunStore.RunStore;
      const issues = yield* IssueStore.IssueStore;
      const issue = yield* Fixtures.issue();
      const other = yield* Fixtures.issue();
      const ended = { status: "ended", endedAt: Fixtures.at(5) } as const;
      const first = yield* Fixtures.run(issue, ended);
      yield* Fixtures.run(other);
      assert.deepStrictEqual(
        yield* runs.stored(first.id),
        Option.some({ run: first, isIssueDeleted: false, isLatest: true }),
      );
      const second = yield* Fixtures.run(issue, { agentId: "eve" });
      const facts = (run: Run.RunRow) => ({
        run,
        isIssueDeleted: false,
        isLatest: run.id === second.id,
      });
      for (const run of [first, second]) {
        assert.deepStrictEqual(yield* runs.stored(run.id), Option.some(facts(run)));
      }
      yield* transact(issues.remove(issue.id));
      for (const run of [first, second]) {
        const stored = { ...facts({ ...run, issueKey: null }), isIssueDeleted: true };
        assert.deepStrictEqual(yield* runs.stored(run.id), Option.some(stored));
      }
      assert.deepStrictEqual(yield* runs.stored("run_unknown"), Option.none());
    }),
  );

  it.effect(
    "insert refuses a second run of an issue while the first one has not ended, live or not",
    () =>
      Effect.gen(function* () {
        const runs = yield* RunStore.RunStore;
        for (const overrides of [{}, stopping, { leaseExpiresAt: Fixtures.at(-100) }]) {
          const issue = yield* Fixtures.issue();
          const free = yield* Fixtures.issue();
          const first = yield* Fixtures.run(issue, overrides);
          const rows = [yield* Fixtures.runRow(free), yield* Fixtures.runRow(issue)];
          const refusal = yield* Effect.flip(transact(runs.insert(rows)));
          assert.strictEqual(refusal._tag, "StorageError");
          for (const { id } of rows) {
            assert.deepStrictEqual(yield* runs.get(id), Option.none());
          }
          assert.deepStrictEqual(yield* runs.ofIssue(issue.id), Option.some(first));
          yield* transact(runs.update([{ ...first, ...Fixtures.ended(Fixtures.at(1)) }]));
          yield* transact(runs.insert(rows));
          for (const { id } of rows) assert.isTrue(Option.isSome(yield* runs.get(id)));
        }
      }),
  );

  it.effect("insert refuses two runs of one issue", () =>
    Effect.gen(function* () {
      const runs = yield* RunStore.RunStore;
      const issue = yield* Fixtures.issue();
      const rows = [yield* Fixtures.runRow(issue), yield* Fixtures.runRow(issue)];
      assert.strictEqual((yield* Effect.flip(transact(runs.insert(rows))))._tag, "StorageError");
      assert.deepStrictEqual(yield* runs.ofIssue(issue.id), Option.none());
    }),
  );

  it.effect("one of many concurrent changes that start a run of an issue succeeds", () =>
    Effect.gen(function* () {
      const runs = yield* RunStore.RunStore;
      const issue = yield* Fixtures.issue();
      const rows = yield* Effect.replicateEffect(Fixtures.runRow(issue), 20);
      const exits = yield* Effect.all(
        rows.map((row) => Effect.exit(transact(runs.insert([row])))),
        { concurrency: "unbounded" },
      );
      assert.lengthOf(exits.filter(Exit.isSuccess), 1);
      const winner = yield* Effect.flatMap(runs.ofIssue(issue.id), Effect.fromOption);
      assert.include(ids(rows), winner.id);
    }),
  );

  it.effect("update replaces every field of several rows", () =>
    Effect.gen(function* () {
      const runs = yield* RunStore.RunStore;
      const a = yield* Fixtures.run(yield* Fixtures.issue());
      const b = yield* Fixtures.run(yield* Fixtures.issue());
      const other = yield* Fixtures.run(yield* Fixtures.issue());
      const rows = [
        {
          ...a,
          ...stopping,
          leaseExpiresAt: Fixtures.at(900),
          leaseSeconds: 5,
          commentSeq: 7,
          versionSeq: 8,
        },
        { ...b, ...Fixtures.ended(Fixtures.at(9.009)), stopReason: "leaseExpired" as const },
      ];
      yield* transact(runs.update(rows));
      for (const row of [...rows, other]) {
        assert.deepStrictEqual(yield* runs.get(row.id), Option.some(row));
      }
      yield* transact(runs.update([]));
      yield* transact(runs.update([{ ...a, id: "run_unknown" }]));
      assert.deepStrictEqual(yield* runs.get("run_unknown"), Option.none());
    }),
  );

  it.effect("ofIssue returns the run that has not ended, even if its lease has expired", () =>
    Effect.gen(function* () {
      const runs = yield* RunStore.RunStore;
      const issue = yield* Fixtures.issue();
      assert.deepStrictEqual(yield* runs.ofIssue(issue.id), Option.none());
      yield* Fixtures.run(issue, Fixtures.ended(Fixtures.at(1)));
      assert.deepStrictEqual(yield* runs.ofIssue(issue.id), Option.none());
      const run = yield* Fixtures.run(issue, { leaseExpiresAt: Fixtures.at(-100) });
      yield* Fixtures.run(yield* Fixtures.issue());
      assert.deepStrictEqual(yield* runs.ofIssue(issue.id), Option.some(run));
      const stopped = { ...run, ...stopping };
      yield* transact(runs.update([stopped]));
      assert.deepStrictEqual(yield* runs.ofIssue(issue.id), Option.some(stopped));
    }),
  );
};
