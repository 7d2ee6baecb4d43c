import { assert, describe } from "@effect/vitest";
import { Housekeeping, Issue, Issues, Questions } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import {
  check,
  create,
  executing,
  finish,
  get,
  heartbeat,
  inStatus,
  kinds,
  put,
  refusal,
  turn,
  waiting,
} from "../support/World.ts";

const asBot = Callers.as(Callers.agent("bot"));

type Ask = Parameters<(typeof Questions.Questions)["Service"]["ask"]>[1];

/** Asks a question that expires in a minute. */
const ask = (issueId: string, onExpiry: Ask["onExpiry"] = "continue") =>
  Questions.Questions.use((questions) =>
    Effect.map(
      questions.ask(issueId, { prompt: "Which slates?", expiresInSeconds: 60, onExpiry }),
      ({ question }) => question,
    ),
  );

const statusOf = (id: string) =>
  Questions.Questions.use((questions) => Effect.map(questions.get(id), ({ status }) => status));

const minute = TestClock.adjust("1 minute");
const expireDue = Questions.Questions.use((questions) => questions.expireDue);

const readiness = (id: string) => Issues.Issues.use((issues) => issues.readiness(id));
const codes = (id: string) =>
  Effect.map(readiness(id), ({ reasons }) => reasons.map(({ code }) => code));

const times = (kind: string, issueId: string) =>
  Effect.map(kinds(issueId), (all) => all.filter((one) => one === kind).length);

describe("The expiry of questions", () => {
  check(
    "[questions.expiry.read] an expired question never reads as open, recorded or not",
    Effect.gen(function* () {
      const { id } = yield* create();
      const question = yield* ask(id);
      const list = (status: "open" | "expired") =>
        Questions.Questions.use((questions) =>
          Effect.map(questions.list(id, { status }), ({ items }) => items),
        );
      yield* TestClock.adjust("59999 millis");
      assert.deepStrictEqual(yield* list("open"), [question]);
      yield* TestClock.adjust("1 millis");
      const expired = { ...question, status: "expired" } as const;
      for (const recorded of [false, true]) {
        if (recorded) yield* expireDue;
        assert.deepStrictEqual(yield* list("open"), []);
        assert.deepStrictEqual(yield* list("expired"), [expired]);
        assert.strictEqual(yield* statusOf(question.id), "expired");
      }
      assert.strictEqual(yield* times("questionExpired", id), 1);
    }),
  );

  check(
    "[questions.readiness] readiness says awaitingAnswer while a blocking question is open",
    Effect.gen(function* () {
      const { id } = yield* create({ assignedAgentId: "bot" });
      const question = yield* ask(id);
      const { ready, reasons } = yield* readiness(id);
      assert.isFalse(ready);
      assert.deepInclude(
        reasons.find(({ code }) => code === "awaitingAnswer"),
        { data: { questionIds: [question.id] } },
      );
      yield* minute;
      assert.notInclude(yield* codes(id), "awaitingAnswer");
      assert.isTrue((yield* readiness(id)).ready);
      yield* ask(id, "pause");
      yield* minute;
      // Acts like the claim, which records the expiry before it decides.
      assert.include(yield* codes(id), "paused");
      assert.isFalse((yield* readiness(id)).ready);
    }),
  );

  check(
    "[questions.expiry.continue] after the expiry a claim picks the issue up and records the expiry",
    Effect.gen(function* () {
      const { id } = yield* create({ assignedAgentId: "bot" });
      yield* ask(id);
      assert.deepStrictEqual((yield* heartbeat("bot")).started, []);
      yield* minute;
      assert.lengthOf((yield* heartbeat("bot")).started, 1);
      const all = yield* kinds(id);
      assert.isBelow(all.indexOf("questionExpired"), all.indexOf("pickedUp"));
    }),
  );

  check(
    "[questions.expiry.claim] a claim records an expiry that pauses, and takes the next issue",
    Effect.gen(function* () {
      const first = yield* create({ assignedAgentId: "bot" });
      const second = yield* create({ assignedAgentId: "bot" });
      const question = yield* ask(first.id, "pause");
      yield* minute;
      const { started } = yield* heartbeat("bot");
      assert.deepStrictEqual(
        started.map(({ issue }) => issue.id),
        [second.id],
      );
      assert.deepInclude(yield* get(first.id), {
        status: "Open",
        paused: true,
        pausedBecause: "questionExpired",
      });
      const { items } = yield* Issues.Issues.use((issues) => issues.activity(first.id));
      assert.deepInclude(
        items.find(({ kind }) => kind === "paused"),
        {
          data: { cause: "questionExpired", questionId: question.id },
          actor: { type: "System", id: "quartermaster" },
        },
      );
    }),
  );

  check(
    "[questions.expiry.turn] a turn records an expiry that pauses, and stops",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      const question = yield* asBot(ask(issue.id, "pause"));
      yield* minute;
      const stopped = yield* turn(runId);
      assert.deepInclude(stopped, { action: "stop", reason: "paused" });
      assert.deepInclude(yield* get(issue.id), {
        status: "Open",
        pausedBecause: "questionExpired",
      });
      assert.strictEqual(yield* statusOf(question.id), "expired");
      assert.deepInclude(yield* refusal(turn(runId)), { _tag: "RunEnded", reason: "paused" });
    }),
  );

  check(
    "[questions.expiry.turn] a turn after an expiry that continues goes on",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      yield* asBot(ask(issue.id));
      yield* minute;
      assert.strictEqual((yield* turn(runId)).action, "continue");
      assert.strictEqual(yield* times("questionExpired", issue.id), 1);
      yield* finish(runId, "review");
    }),
  );

  check(
    "[questions.expiry.finish] a finish after an expiry that pauses is refused",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      yield* asBot(ask(issue.id, "pause"));
      yield* minute;
      assert.deepInclude(yield* refusal(finish(runId, "resolved")), {
        _tag: "RunEnded",
        reason: "paused",
      });
      assert.strictEqual((yield* get(issue.id)).pausedBecause, "questionExpired");
    }),
  );

  check(
    "[questions.expiry.answer] an answer that comes too late records the expiry and is refused",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      const question = yield* asBot(ask(issue.id, "pause"));
      yield* minute;
      const late = Questions.Questions.use((questions) =>
        questions.answer(question.id, { answer: "Blue" }),
      );
      assert.deepInclude(yield* refusal(late), { _tag: "QuestionClosed", reason: "expired" });
      assert.strictEqual((yield* get(issue.id)).pausedBecause, "questionExpired");
      assert.strictEqual((yield* turn(runId)).reason, "paused");
      assert.strictEqual(yield* times("questionExpired", issue.id), 1);
      const withdraw = Questions.Questions.use((questions) => questions.withdraw(question.id));
      assert.deepInclude(yield* refusal(withdraw), { reason: "expired" });
    }),
  );

  check(
    "[questions.expiry.housekeeping] housekeeping records expiries and tells live runs to stop",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      yield* asBot(ask(issue.id, "pause"));
      const open = yield* create({ assignedAgentId: "other" });
      yield* ask(open.id, "pause");
      yield* minute;
      yield* Housekeeping.Housekeeping.use(({ once }) => once);
      for (const { id } of [issue, open]) {
        assert.strictEqual((yield* get(id)).pausedBecause, "questionExpired");
      }
      const { stop } = yield* heartbeat("bot");
      assert.deepStrictEqual(stop, [{ runId, issueId: issue.id, reason: "paused" }]);
      assert.strictEqual(yield* expireDue, 0);
    }),
  );

  check(
    "[questions.expiry.pause] onExpiry pauses the issue whatever its status",
    Effect.gen(function* () {
      for (const status of Issue.IssueStatus.literals.filter(Issue.isOpen)) {
        const { id } = yield* inStatus(status, { assignedAgentId: "bot" });
        yield* ask(id, "pause");
        yield* minute;
        yield* expireDue;
        assert.deepInclude(yield* get(id), {
          status: status === "InProgress" ? "Open" : status,
          paused: true,
          pausedBecause: "questionExpired",
        });
      }
    }),
  );

  check(
    "[questions.expiry.pause] an executing issue with an open blocker waits, and an earlier pause keeps its reason",
    Effect.gen(function* () {
      const { blocker, issue } = yield* waiting({ assignedAgentId: "bot" });
      yield* put(blocker.id, { status: "Resolved" });
      yield* put(issue.id, { status: "InProgress" });
      yield* put(blocker.id, { status: "Open" });
      yield* ask(issue.id, "pause");
      const paused = yield* inStatus("InProgress");
      yield* Issues.Issues.use((issues) => issues.pause(paused.id));
      yield* ask(paused.id, "pause");
      yield* minute;
      yield* expireDue;
      assert.deepInclude(yield* get(issue.id), {
        status: "WaitingOnDependency",
        pausedBecause: "questionExpired",
      });
      assert.strictEqual((yield* get(paused.id)).pausedBecause, "person");
    }),
  );

  check(
    "[questions.expiry.change] a change of the issue follows the record of the expiry",
    Effect.gen(function* () {
      const { id } = yield* create({ assignedAgentId: "bot" });
      const question = yield* ask(id, "pause");
      yield* minute;
      const issue = yield* put(id, { status: "Resolved" });
      assert.strictEqual(yield* statusOf(question.id), "expired");
      assert.isFalse(issue.paused);
      const all = yield* kinds(id);
      assert.include(all, "paused");
      assert.notInclude(all, "questionWithdrawn");
    }),
  );
});
