import { assert } from "@effect/vitest";
import { type Issue, IssueStore } from "@quartermaster/core";
import { Effect, Option } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import type { Storage } from "../../Storage.ts";
import { ids, type It } from "../../Suite.ts";

const now = Fixtures.at(100);

/** Questions in each state, at 100 seconds. */
export const questions = {
  blocking: {},
  later: { expiresAt: Fixtures.at(100.001) },
  due: { expiresAt: now },
  answered: { status: "answered" },
  informal: { blocking: false },
} as const;

const claimable = (agentId: string) =>
  IssueStore.IssueStore.use((issues) =>
    Effect.map(issues.claimable(agentId, null, 100, now), (found) =>
      ids(found.map(({ issue }) => issue)),
    ),
  );

/** Tests of issues that wait for a time or for an answer. */
export const tests = (it: It<Storage>): void => {
  it.effect(
    "deferredUntil is the earliest time at which a deferral of the agent's issues ends",
    () =>
      Effect.gen(function* () {
        const issues = yield* IssueStore.IssueStore;
        const agentId = yield* Fixtures.id("agent");
        const make = (notBefore: string | null, overrides: Partial<Issue.IssueRow> = {}) =>
          Fixtures.issue({ assignedAgentId: agentId, notBefore, projectId: "a", ...overrides });
        const until = (projects: ReadonlyArray<string> | null) =>
          issues.deferredUntil(agentId, projects, now);
        yield* make(null);
        yield* make(now);
        yield* make(Fixtures.at(101), { pausedBecause: "person" });
        yield* make(Fixtures.at(101), { status: "Resolved" });
        yield* make(Fixtures.at(101), { assignedAgentId: null });
        assert.deepStrictEqual(yield* until(null), Option.none());
        yield* make(Fixtures.at(103));
        yield* make(Fixtures.at(102), { projectId: "b", status: "InProgress" });
        assert.deepStrictEqual(yield* until(null), Option.some(Fixtures.at(102)));
        assert.deepStrictEqual(yield* until(["a", "c"]), Option.some(Fixtures.at(103)));
        assert.deepStrictEqual(yield* until([]), Option.none());
      }),
  );

  it.effect("isAwaiting finds an issue of the agent that waits for an answer", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const agentId = yield* Fixtures.id("agent");
      const ask = (question: keyof typeof questions, overrides: Partial<Issue.IssueRow> = {}) =>
        Effect.flatMap(
          Fixtures.issue({ assignedAgentId: agentId, projectId: "a", ...overrides }),
          (issue) => Fixtures.question(issue, questions[question]),
        );
      const awaits = (projects: ReadonlyArray<string> | null) =>
        issues.isAwaiting(agentId, projects, now);
      yield* ask("due");
      yield* ask("answered");
      yield* ask("informal");
      yield* ask("blocking", { pausedBecause: "person" });
      yield* ask("blocking", { status: "PendingReview" });
      yield* ask("blocking", { assignedAgentId: null });
      assert.isFalse(yield* awaits(null));
      yield* ask("later", { status: "InProgress" });
      assert.isTrue(yield* awaits(null));
      assert.isTrue(yield* awaits(["b", "a"]));
      assert.isFalse(yield* awaits(["b"]));
    }),
  );

  it.effect("claimable lists no issue that waits for the answer to a blocking question", () =>
    Effect.gen(function* () {
      const agentId = yield* Fixtures.id("agent");
      const make = (question: keyof typeof questions) =>
        Effect.tap(Fixtures.issue({ assignedAgentId: agentId }), (issue) =>
          Fixtures.question(issue, questions[question]),
        );
      yield* make("blocking");
      yield* make("later");
      const due = yield* make("due");
      const answered = yield* make("answered");
      const informal = yield* make("informal");
      assert.deepStrictEqual(yield* claimable(agentId), ids([due, answered, informal]));
      yield* Fixtures.question(due, questions.blocking);
      assert.deepStrictEqual(yield* claimable(agentId), ids([answered, informal]));
    }),
  );
};
