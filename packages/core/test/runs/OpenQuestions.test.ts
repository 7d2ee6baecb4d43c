import { assert, describe } from "@effect/vitest";
import { Comments, CurrentRun, Issues, Questions, Runs } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import { check, executing, finish, get, heartbeat, put, refusal } from "../support/World.ts";

const bot = Callers.as(Callers.agent("bot"));

type Ask = Parameters<(typeof Questions.Questions)["Service"]["ask"]>[1];

const ask = (issueId: string, input: Partial<Ask> = {}) =>
  Questions.Questions.use((questions) =>
    Effect.map(
      questions.ask(issueId, { prompt: "Which slates?", ...input }),
      ({ question }) => question.id,
    ),
  );

const handIn = (runId: string, input: Parameters<(typeof Runs.Runs)["Service"]["finish"]>[2]) =>
  Runs.Runs.use((runs) => runs.finish("bot", runId, input));

const outcomes = Effect.map(
  Runs.Runs.use(({ list }) => list("bot", { order: "asc" })),
  ({ items }) => items.map(({ outcome }) => outcome),
);

describe("Hand-ins with open questions", () => {
  for (const outcome of ["review", "resolved"] as const) {
    check(
      `[hand-in.questions] a finish as ${outcome} is a release while a blocking question of the run is open`,
      Effect.gen(function* () {
        const first = yield* executing("bot");
        yield* Runs.Runs.use((runs) =>
          runs.finish("bot", first.runId, { outcome: "failed", retry: true }),
        );
        const { started } = yield* heartbeat("bot");
        const runId = started[0]?.runId ?? "";
        const { id } = first.issue;
        const open = [yield* bot(ask(id)), yield* bot(ask(id))];
        const before = yield* get(id);
        const issue = yield* handIn(runId, { outcome, comment: "Half of it is done." });
        assert.deepInclude(issue, {
          status: "Open",
          handedInAs: "released",
          questionIds: open,
          attempts: before.attempts,
        });
        assert.strictEqual(before.attempts, 1);
        assert.deepStrictEqual(yield* outcomes, ["failed", "released"]);
        const { items } = yield* Comments.Comments.use((comments) => comments.list(id));
        assert.deepStrictEqual(
          items.map(({ content }) => content),
          ["Half of it is done."],
        );
        const { reasons } = yield* Issues.Issues.use((issues) => issues.readiness(id));
        assert.deepStrictEqual(
          reasons.map(({ code }) => code),
          ["awaitingAnswer"],
        );
      }),
    );
  }

  check(
    "[hand-in.questions] an update of the status is a release while a blocking question of the run is open",
    Effect.gen(function* () {
      for (const status of ["PendingReview", "Resolved"] as const) {
        const { issue } = yield* executing("bot");
        const question = yield* bot(ask(issue.id));
        assert.deepInclude(yield* bot(put(issue.id, { status, title: "Another" })), {
          status: "Open",
          title: "Another",
          handedInAs: "released",
          questionIds: [question],
        });
      }
      assert.deepStrictEqual(yield* outcomes, ["released", "released"]);
    }),
  );

  check(
    "[hand-in.questions] a question that the run asked by the key of a person counts",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing("bot");
      const acting = Effect.provideService(CurrentRun.CurrentRun, { id: runId, agentId: "bot" });
      const question = yield* acting(ask(issue.id));
      assert.deepInclude(yield* finish(runId, "resolved"), { questionIds: [question] });
    }),
  );

  check(
    "[hand-in.questions] questions that do not block, are closed or are of others change no hand-in",
    Effect.gen(function* () {
      const questions = yield* Questions.Questions;
      const { issue, runId } = yield* executing("bot");
      yield* bot(ask(issue.id, { blocking: false }));
      yield* ask(issue.id);
      yield* questions.answer(yield* bot(ask(issue.id)), { answer: "Grey" });
      yield* questions.withdraw(yield* bot(ask(issue.id)));
      yield* bot(ask(issue.id, { expiresInSeconds: 60 }));
      yield* TestClock.adjust("1 minute");
      const resolved = yield* finish(runId, "resolved");
      assert.strictEqual(resolved.status, "Resolved");
      assert.notProperty(resolved, "handedInAs");
      assert.notProperty(resolved, "questionIds");
    }),
  );

  check(
    "[hand-in.questions] a release and a failure stay what they are",
    Effect.gen(function* () {
      for (const outcome of ["released", "failed"] as const) {
        const { issue, runId } = yield* executing("bot");
        yield* bot(ask(issue.id));
        assert.notProperty(yield* finish(runId, outcome), "handedInAs");
      }
      assert.deepStrictEqual(yield* outcomes, ["released", "failed"]);
      const { issue, runId } = yield* executing("bot");
      yield* bot(ask(issue.id));
      yield* finish(runId, "review");
      assert.strictEqual((yield* refusal(finish(runId, "review")))._tag, "RunEnded");
    }),
  );
});
