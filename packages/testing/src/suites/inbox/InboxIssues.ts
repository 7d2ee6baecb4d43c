import { assert } from "@effect/vitest";
import {
  type EffectSlot,
  EffectStore,
  InboxStore,
  type Issue,
  IssueStore,
} from "@quartermaster/core";
import { Effect } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import type { It } from "../../Suite.ts";
import { all, check, keys, now } from "./InboxPages.ts";

const keyOfIssue = ({ id, priority, updatedAt }: InboxStore.InboxIssue) => ({
  priority,
  since: updatedAt,
  id,
});

/**
 * Creates issues with these fields in a new project, one for each key, and equal issues in another
 * project.
 */
const issuesWith = Effect.fnUntraced(function* (fields: Partial<Issue.IssueRow>) {
  const projectId = yield* Fixtures.id("project");
  const stored: Array<InboxStore.InboxKey> = [];
  for (const { priority, since } of keys) {
    const row = { ...fields, priority, updatedAt: since };
    const { id } = yield* Fixtures.issue({ ...row, projectId });
    yield* Fixtures.issue({ ...row, projectId: `${projectId}x` });
    stored.push({ priority, since, id });
  }
  return { projectId, stored };
});

const found = (rows: ReadonlyArray<InboxStore.InboxIssue>, projectId: string) =>
  rows.filter((row) => row.projectId === projectId);

const issueKinds = [
  [
    "reviews",
    { status: "PendingReview" },
    (store: InboxStore.InboxStore["Service"]) => store.reviews,
  ],
  [
    "paused issues that failed",
    { pausedBecause: "failed" },
    (store: InboxStore.InboxStore["Service"]) =>
      (query: InboxStore.InboxQuery, slice: typeof all) =>
        store.paused("failed", query, slice),
  ],
  [
    "paused issues with too many attempts",
    { status: "WaitingOnDependency", pausedBecause: "tooManyAttempts", attempts: 3 },
    (store: InboxStore.InboxStore["Service"]) =>
      (query: InboxStore.InboxQuery, slice: typeof all) =>
        store.paused("tooManyAttempts", query, slice),
  ],
] as const;

export const tests = (it: It<Storage>): void => {
  it.effect("unknown effects, also ones past their time, are sorted by priority, time and id", () =>
    Effect.gen(function* () {
      const store = yield* InboxStore.InboxStore;
      const effects = yield* EffectStore.EffectStore;
      const projectId = yield* Fixtures.id("project");
      const stored: Array<InboxStore.InboxKey> = [];
      for (const [index, { priority, since }] of keys.entries()) {
        const { id: issueId } = yield* Fixtures.issue({ projectId, priority });
        const { id: other } = yield* Fixtures.issue({ projectId: `${projectId}x`, priority });
        const lost: Partial<EffectSlot.EffectSlot> =
          index % 2 === 0 ? { state: "unknown" } : { state: "sent", until: now };
        const slot = yield* Fixtures.effectSlot({ ...lost, issueId, sentAt: since });
        const rest: ReadonlyArray<Partial<EffectSlot.EffectSlot>> = [
          { ...lost, issueId: other },
          { state: "done", issueId },
          { state: "failed", issueId },
          { state: "sent", until: Fixtures.at(1_001), issueId },
        ];
        const others = yield* Effect.forEach(rest, Fixtures.effectSlot);
        yield* transact(Effect.forEach([slot, ...others], effects.insert));
        stored.push({ priority, since, id: slot.callId });
      }
      yield* check(
        (slice) => store.unknownEffects({ projects: [projectId], now }, slice),
        ({ effect, issue }) => ({
          priority: issue.priority,
          since: effect.sentAt,
          id: effect.callId,
        }),
        stored,
      );
    }),
  );

  it.effect.each(issueKinds)("%s are sorted by priority, time and id", ([, fields, listOf]) =>
    Effect.gen(function* () {
      const list = listOf(yield* InboxStore.InboxStore);
      yield* Fixtures.issue();
      const { projectId, stored } = yield* issuesWith(fields);
      yield* check((slice) => list({ projects: [projectId], now }, slice), keyOfIssue, stored);
      const both = yield* list({ projects: [projectId, `${projectId}x`], now }, all);
      assert.lengthOf(both, 2 * stored.length);
      assert.deepStrictEqual(
        both,
        yield* list({ projects: [`${projectId}x`, projectId], now }, all),
      );
      const any = found(yield* list({ projects: null, now }, all), projectId);
      assert.deepStrictEqual(any, found(both, projectId));
      assert.deepStrictEqual(yield* list({ projects: [], now }, all), []);
    }),
  );

  it.effect("a page of all projects continues after its last row", () =>
    Effect.gen(function* () {
      const store = yield* InboxStore.InboxStore;
      yield* issuesWith({ status: "PendingReview" });
      const everything = yield* store.reviews({ projects: null, now }, all);
      const stored = everything.map(keyOfIssue);
      yield* check((slice) => store.reviews({ projects: null, now }, slice), keyOfIssue, stored);
    }),
  );

  it.effect("an issue leaves when its status or pause does", () =>
    Effect.gen(function* () {
      const store = yield* InboxStore.InboxStore;
      const issues = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      const query = { projects: [projectId], now };
      const review = yield* Fixtures.issue({ projectId, status: "PendingReview" });
      const failed = yield* Fixtures.issue({ projectId, pausedBecause: "failed" });
      assert.lengthOf(yield* store.reviews(query, all), 1);
      assert.lengthOf(yield* store.paused("failed", query, all), 1);
      assert.lengthOf(yield* store.paused("tooManyAttempts", query, all), 0);
      yield* transact(
        issues.update([
          { ...review, status: "Resolved" },
          { ...failed, pausedBecause: null },
        ]),
      );
      assert.deepStrictEqual(yield* store.reviews(query, all), []);
      assert.deepStrictEqual(yield* store.paused("failed", query, all), []);
    }),
  );

  it.effect("questions are sorted by the priority of their issue, time and id", () =>
    Effect.gen(function* () {
      const store = yield* InboxStore.InboxStore;
      const issues = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      const stored: Array<InboxStore.InboxKey> = [];
      for (const { priority, since } of keys) {
        // The priority changes after the question is asked.
        const issue = yield* Fixtures.issue({ projectId, priority: "low", assignedAgentId: "bo" });
        const { id } = yield* Fixtures.question(issue, { createdAt: since });
        yield* transact(issues.update([{ ...issue, priority }]));
        stored.push({ priority, since, id });
      }
      yield* Fixtures.question(yield* Fixtures.issue({ projectId: `${projectId}x` }));
      const list = (slice: typeof all, projects: ReadonlyArray<string> | null = [projectId]) =>
        store.questions({ projects, now }, slice);
      const keyOf = ({ issue, question }: InboxStore.InboxQuestion) => ({
        priority: issue.priority,
        since: question.createdAt,
        id: question.id,
      });
      yield* check(list, keyOf, stored);
      const any = yield* list(all, null);
      assert.deepStrictEqual(
        any.filter(({ issue }) => issue.projectId === projectId),
        yield* list(all),
      );
      assert.deepStrictEqual(any[0]?.issue.assignedAgentId, "bo");
    }),
  );

  it.effect("the newest comment that a run handed in is listed with its issue", () =>
    Effect.gen(function* () {
      const store = yield* InboxStore.InboxStore;
      const issue = yield* Fixtures.issue();
      const other = yield* Fixtures.issue();
      const none = yield* Fixtures.issue();
      const handIn = Effect.fnUntraced(function* (issueId: string, content: string) {
        const { id: commentId } = yield* Fixtures.comment(issueId, { content });
        const ended = Fixtures.ended(Fixtures.at(1));
        yield* Fixtures.run({ id: issueId, projectId: "project" }, { ...ended, commentId });
      });
      yield* handIn(issue.id, "First");
      yield* handIn(other.id, "x".repeat(1_001));
      yield* handIn(issue.id, "Second");
      yield* Fixtures.run(issue, Fixtures.ended(Fixtures.at(1)));
      yield* Fixtures.comment(issue.id, { content: "Later" });
      const found = new Map(yield* store.handIns([issue.id, none.id, other.id]));
      assert.deepStrictEqual([...found.keys()].toSorted(), [issue.id, other.id].toSorted());
      assert.strictEqual(found.get(issue.id), "Second");
      assert.strictEqual(found.get(other.id)?.slice(0, 1_000), "x".repeat(1_000));
      assert.deepStrictEqual(yield* store.handIns([]), []);
    }),
  );

  it.effect("items are a user's by assignment, and questions also by creation", () =>
    Effect.gen(function* () {
      const store = yield* InboxStore.InboxStore;
      const effects = yield* EffectStore.EffectStore;
      const projectId = yield* Fixtures.id("project");
      const user = yield* Fixtures.id("user");
      const createdBy = { type: "User", id: user } as const;
      const owned = { projectId, assigneeUserId: user };
      const made = { projectId, createdBy, assigneeUserId: "else" };
      const byAgent = { projectId, createdBy: { type: "Agent", id: user } } as const;
      for (const fields of [owned, made, byAgent]) {
        yield* Fixtures.question(yield* Fixtures.issue(fields));
        yield* Fixtures.issue({ ...fields, status: "PendingReview" });
        yield* Fixtures.issue({ ...fields, pausedBecause: "failed" });
        const { id: issueId } = yield* Fixtures.issue(fields);
        const lost = yield* Fixtures.effectSlot({ state: "unknown", issueId });
        yield* transact(effects.insert(lost));
      }
      for (const projects of [[projectId], null]) {
        const query = { projects, mine: user, now };
        assert.lengthOf(yield* store.questions(query, all), 2);
        assert.lengthOf(yield* store.reviews(query, all), 1);
        assert.lengthOf(yield* store.paused("failed", query, all), 1);
        assert.lengthOf(yield* store.unknownEffects(query, all), 1);
      }
    }),
  );

  it.effect("a question is listed while it is open at the given time", () =>
    Effect.gen(function* () {
      const store = yield* InboxStore.InboxStore;
      const issue = yield* Fixtures.issue({ projectId: yield* Fixtures.id("project") });
      const open = yield* Fixtures.question(issue, { blocking: false });
      const later = yield* Fixtures.question(issue, { expiresAt: Fixtures.at(1_001) });
      yield* Fixtures.question(issue, { expiresAt: now });
      for (const status of ["answered", "expired", "withdrawn"] as const) {
        yield* Fixtures.question(issue, { status });
      }
      const rows = yield* store.questions({ projects: [issue.projectId], now }, all);
      assert.deepStrictEqual(
        rows.map(({ question }) => question),
        [open, later].map(({ createdAt, id, prompt }) => ({ id, prompt, createdAt })),
      );
    }),
  );
};
