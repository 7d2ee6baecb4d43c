import { assert } from "@effect/vitest";
import { Issue, IssueStore, LinkStore, RunStore, ToolCallStore } from "@quartermaster/core";
import { Effect, Option } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { ids, type It } from "../../Suite.ts";

const now = Fixtures.at(100);

const factsOf = (issueId: string, at = now) =>
  IssueStore.IssueStore.use((issues) =>
    Effect.flatMap(issues.facts(issueId, at), Effect.fromOption),
  );

export const tests = (it: It<Storage>): void => {
  it.effect("facts of an issue without links or runs", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const issue = yield* Fixtures.issue();
      assert.deepStrictEqual(yield* factsOf(issue.id), {
        issue,
        openBlockers: [],
        liveRun: null,
        expiredRun: null,
        agentPaused: false,
        projectPaused: false,
        callUntil: null,
        openQuestions: [],
      });
      assert.deepStrictEqual(yield* issues.facts("iss_unknown", now), Option.none());
    }),
  );

  it.effect("facts have the latest time until which a call for the issue may be in flight", () =>
    Effect.gen(function* () {
      const calls = yield* ToolCallStore.ToolCallStore;
      const { id: issueId } = yield* Fixtures.issue();
      const admit = (seconds: number, issue: string | null) =>
        Effect.tap(Fixtures.admittedCall({ issueId: issue, until: Fixtures.at(seconds) }), (call) =>
          transact(calls.admit(call)),
        );
      yield* admit(1, issueId);
      const latest = yield* admit(3, issueId);
      yield* admit(2, issueId);
      yield* admit(9, "iss_other");
      yield* admit(9, null);
      assert.strictEqual((yield* factsOf(issueId)).callUntil, Fixtures.at(3));
      yield* transact(calls.append([yield* Fixtures.toolCallRow({ id: latest.id })]));
      assert.strictEqual((yield* factsOf(issueId)).callUntil, Fixtures.at(2));
    }),
  );

  it.effect(
    "open blockers are blockers that are neither Resolved nor Closed, oldest link first",
    () =>
      Effect.gen(function* () {
        const projectId = yield* Fixtures.id("project");
        const issue = yield* Fixtures.issue();
        const blockers = yield* Effect.forEach(Issue.IssueStatus.literals, (status) =>
          Fixtures.issue({ projectId, status }),
        );
        for (const blocker of blockers.toReversed()) {
          yield* Fixtures.link(blocker, issue);
        }
        const dependent = yield* Fixtures.issue();
        yield* Fixtures.link(issue, dependent);
        const related = yield* Fixtures.issue();
        yield* Fixtures.link(related, issue, { relation: "RelatedTo" });
        yield* Fixtures.link(related, issue, { relation: "DuplicateOf" });
        const { issue: row, openBlockers } = yield* factsOf(issue.id);
        const open = blockers.filter(({ status }) => Issue.isOpen(status)).toReversed();
        assert.deepStrictEqual(
          openBlockers,
          open.map(({ id }) => ({ id, projectId })),
        );
        assert.strictEqual(row.linkCount, 9);
      }),
  );

  it.effect("facts follow a blocker's status and a link's removal", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const links = yield* LinkStore.LinkStore;
      const issue = yield* Fixtures.issue();
      const a = yield* Fixtures.issue();
      const b = yield* Fixtures.issue({ status: "Closed" });
      const link = yield* Fixtures.link(a, issue);
      yield* Fixtures.link(b, issue);
      const open = () => Effect.map(factsOf(issue.id), ({ openBlockers }) => ids(openBlockers));
      assert.deepStrictEqual(yield* open(), [a.id]);
      yield* transact(issues.update([{ ...b, status: "PendingReview" }]));
      assert.deepStrictEqual(yield* open(), [a.id, b.id]);
      yield* transact(links.remove(link.id));
      assert.deepStrictEqual(yield* open(), [b.id]);
      yield* transact(issues.remove(b.id));
      assert.deepStrictEqual(yield* open(), []);
    }),
  );

  it.effect("facts contain the questions that are stored as open, regardless of their expiry", () =>
    Effect.gen(function* () {
      const issue = yield* Fixtures.issue();
      const due = yield* Fixtures.question(issue, { expiresAt: now });
      yield* Fixtures.question(issue, { status: "answered" });
      yield* Fixtures.question(yield* Fixtures.issue());
      const open = yield* Fixtures.question(issue, { blocking: false });
      assert.deepStrictEqual((yield* factsOf(issue.id)).openQuestions, [due, open]);
    }),
  );

  it.effect("facts contain at most 100 open blockers, with the oldest links", () =>
    Effect.gen(function* () {
      const issue = yield* Fixtures.issue();
      const blockers = yield* Effect.replicateEffect(Fixtures.issue(), 105);
      const resolved = yield* Fixtures.issue({ status: "Resolved" });
      yield* Fixtures.link(resolved, issue);
      for (const blocker of blockers) {
        yield* Fixtures.link(blocker, issue);
      }
      const { openBlockers } = yield* factsOf(issue.id);
      assert.deepStrictEqual(ids(openBlockers), ids(blockers.slice(0, 100)));
    }),
  );

  it.effect("a run is live until it ends or its lease has expired at the given time", () =>
    Effect.gen(function* () {
      const runs = yield* RunStore.RunStore;
      const issue = yield* Fixtures.issue();
      yield* Fixtures.run(issue, {
        ...Fixtures.ended(Fixtures.at(50)),
        leaseExpiresAt: Fixtures.at(900),
      });
      assert.isNull((yield* factsOf(issue.id)).liveRun);
      const run = yield* Fixtures.run(issue, { leaseExpiresAt: Fixtures.at(100) });
      const liveAt = (seconds: number) =>
        Effect.map(factsOf(issue.id, Fixtures.at(seconds)), ({ liveRun }) => liveRun);
      const expiredAt = (seconds: number) =>
        Effect.map(factsOf(issue.id, Fixtures.at(seconds)), ({ expiredRun }) => expiredRun);
      assert.deepStrictEqual(yield* liveAt(99.999), run);
      assert.isNull(yield* expiredAt(99.999));
      assert.deepStrictEqual(yield* expiredAt(100), run);
      assert.isNull(yield* liveAt(100));
      assert.isNull(yield* liveAt(100.001));
      const stopping = { ...run, status: "stopping", stopReason: "paused" } as const;
      yield* transact(runs.update([stopping]));
      assert.deepStrictEqual(yield* liveAt(99.999), stopping);
      yield* transact(runs.update([{ ...stopping, status: "ended", endedAt: Fixtures.at(60) }]));
      assert.isNull(yield* liveAt(61));
      assert.isNull(yield* expiredAt(900));
    }),
  );

  it.effect("dependents of any status, oldest link first, with their other blockers and runs", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const blocker = yield* Fixtures.issue();
      const open = yield* Fixtures.issue();
      const resolved = yield* Fixtures.issue({ status: "Resolved" });
      const closed = yield* Fixtures.issue({ status: "Closed" });
      const made = yield* Effect.all([
        Fixtures.issue({ status: "Closed" }),
        Fixtures.issue({ status: "WaitingOnDependency" }),
        Fixtures.issue({ status: "Open" }),
        Fixtures.issue({ status: "InProgress" }),
        Fixtures.issue({ status: "Resolved" }),
      ]);
      const [first, second, third, fourth, fifth] = made;
      for (const dependent of made.toReversed()) {
        yield* Fixtures.link(blocker, dependent);
      }
      yield* Fixtures.link(open, second);
      yield* Fixtures.link(resolved, third);
      yield* Fixtures.link(closed, third);
      yield* Fixtures.link(open, third, { relation: "RelatedTo" });
      yield* Fixtures.link(open, blocker);
      yield* Fixtures.run(fourth, { leaseExpiresAt: Fixtures.at(101) });
      yield* Fixtures.run(third, { leaseExpiresAt: Fixtures.at(100) });
      yield* Fixtures.run(fifth, Fixtures.ended(Fixtures.at(1)));
      const dependents = yield* issues.dependents(blocker.id, now);
      assert.deepStrictEqual(
        dependents.map(({ issue, live, otherOpenBlocker }) => [issue.id, otherOpenBlocker, live]),
        [
          [fifth.id, false, false],
          [fourth.id, false, true],
          [third.id, false, false],
          [second.id, true, false],
          [first.id, false, false],
        ],
      );
      assert.deepStrictEqual(dependents.at(-1)?.issue, Issue.stateOf(first));
      assert.deepStrictEqual(yield* issues.dependents("iss_unknown", now), []);
    }),
  );

  it.effect("the blocker itself does not count as another blocker, open or not", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const a = yield* Fixtures.issue();
      const b = yield* Fixtures.issue();
      const dependent = yield* Fixtures.issue();
      yield* Fixtures.link(a, dependent);
      yield* Fixtures.link(b, dependent);
      const other = (issueId: string) =>
        Effect.map(issues.dependents(issueId, now), (rows) => rows[0]?.otherOpenBlocker);
      assert.isTrue(yield* other(a.id));
      yield* transact(issues.update([{ ...b, status: "Closed" }]));
      assert.isFalse(yield* other(a.id));
      assert.isTrue(yield* other(b.id));
      yield* transact(issues.remove(a.id));
      assert.isFalse(yield* other(b.id));
    }),
  );

  it.effect(
    "open dependents are dependents that are neither Resolved nor Closed, oldest link first",
    () =>
      Effect.gen(function* () {
        const issues = yield* IssueStore.IssueStore;
        const projectId = yield* Fixtures.id("project");
        const blocker = yield* Fixtures.issue({ status: "Resolved" });
        const made = yield* Effect.forEach(Issue.IssueStatus.literals, (status) =>
          Fixtures.issue({ projectId, status }),
        );
        for (const dependent of made.toReversed()) {
          yield* Fixtures.link(blocker, dependent);
        }
        const related = yield* Fixtures.issue();
        yield* Fixtures.link(blocker, related, { relation: "RelatedTo" });
        yield* Fixtures.link(related, blocker);
        const open = made
          .filter(({ status }) => Issue.isOpen(status))
          .toReversed()
          .map(({ id }) => ({ id, projectId }));
        assert.deepStrictEqual(yield* issues.openDependents(blocker.id, 100), open);
        assert.deepStrictEqual(yield* issues.openDependents(blocker.id, 2), open.slice(0, 2));
        assert.deepStrictEqual(yield* issues.openDependents(related.id, 100), []);
      }),
  );
};
