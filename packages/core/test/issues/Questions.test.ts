import { assert, describe } from "@effect/vitest";
import { Comments, Issue, Questions } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import {
  alice,
  check,
  create,
  executing,
  finish,
  heartbeat,
  inStatus,
  kinds,
  put,
  refusal,
  turn,
} from "../support/World.ts";

type Ask = Parameters<(typeof Questions.Questions)["Service"]["ask"]>[1];

const bot = Callers.agent("bot");
const asBot = Callers.as(bot);

const ask = (issueId: string, input: Partial<Ask> = {}) =>
  Questions.Questions.use((questions) =>
    questions.ask(issueId, { prompt: "Which slates?", ...input }),
  );

const asked = (issueId: string, input: Partial<Ask> = {}) =>
  Effect.map(ask(issueId, input), ({ question }) => question);

const answer = (id: string, text: string) =>
  Questions.Questions.use((questions) => questions.answer(id, { answer: text }));

const withdraw = (id: string) => Questions.Questions.use((questions) => questions.withdraw(id));
const get = (id: string) => Questions.Questions.use((questions) => questions.get(id));
const statusOf = (id: string) => Effect.map(get(id), ({ status }) => status);

const tagOf = (error: { readonly _tag: string }) => error._tag;

describe("Questions", () => {
  check(
    "[questions.ask] a question has its asker, the asker's run, and the defaults of the contract",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      const byAgent = yield* asBot(asked(issue.id));
      assert.deepStrictEqual(byAgent, {
        id: byAgent.id,
        issueId: issue.id,
        issueKey: issue.key,
        runId,
        askedBy: { type: "Agent", id: "bot" },
        kind: "text",
        prompt: "Which slates?",
        options: null,
        blocking: true,
        status: "open",
        answer: null,
        answeredBy: null,
        createdAt: byAgent.createdAt,
        expiresAt: null,
        answeredAt: null,
      });
      assert.match(byAgent.id, /^qst_/);
      assert.deepStrictEqual(yield* get(byAgent.id), byAgent);
      const byPerson = yield* asked(issue.id, { kind: "confirm", expiresInSeconds: 60 });
      assert.deepInclude(byPerson, { runId: null, askedBy: { type: "User", id: "alice" } });
      assert.strictEqual(byPerson.expiresAt, "1970-01-01T00:01:00.000Z");
      const { items } = yield* Questions.Questions.use((questions) => questions.list(issue.id));
      assert.deepStrictEqual(items, [byAgent, byPerson]);
      assert.strictEqual((yield* turn(runId)).action, "continue");
    }),
  );

  check(
    "[questions.ask.values] options belong to a choice, and every value has its limits",
    Effect.gen(function* () {
      const { id } = yield* create();
      const path = (input: Partial<Ask>) =>
        Effect.map(refusal(ask(id, input)), (error) => {
          assert.strictEqual(error._tag, "InvalidRequest");
          return error["errors"] as ReadonlyArray<{ readonly path: string }>;
        }).pipe(Effect.map(([first]) => first?.path));
      assert.strictEqual(yield* path({ kind: "choice" }), "options");
      for (const options of [[], ["a"], ["a", "a"], Array.from({ length: 11 }, (_, n) => `${n}`)]) {
        assert.strictEqual(yield* path({ kind: "choice", options }), "options");
      }
      assert.strictEqual(
        yield* path({ kind: "choice", options: ["a", "b".repeat(201)] }),
        "options.1",
      );
      assert.strictEqual(yield* path({ options: ["a", "b"] }), "options");
      assert.strictEqual(yield* path({ kind: "confirm", options: ["a", "b"] }), "options");
      assert.strictEqual(yield* path({ prompt: "" }), "prompt");
      assert.strictEqual(yield* path({ prompt: "x".repeat(8_193) }), "prompt");
      assert.strictEqual(yield* path({ expiresInSeconds: 59 }), "expiresInSeconds");
      assert.strictEqual(yield* path({ expiresInSeconds: 2_592_001 }), "expiresInSeconds");
      assert.strictEqual(yield* path({ key: "x".repeat(65) }), "key");
      yield* ask(id, { kind: "choice", options: ["a", "b".repeat(200)] });
      yield* ask(id, { prompt: "x".repeat(8_192), expiresInSeconds: 2_592_000, key: "k" });
    }),
  );

  check(
    "[questions.ask.key] the same open key on the issue returns the open question; later it asks again",
    Effect.gen(function* () {
      const { id } = yield* create();
      const first = yield* ask(id, { key: "slates", expiresInSeconds: 60 });
      assert.isTrue(first.isNew);
      const again = yield* ask(id, { key: "slates", prompt: "Which?" });
      assert.deepStrictEqual(again, { question: first.question, isNew: false });
      const elsewhere = yield* ask((yield* create()).id, { key: "slates" });
      assert.isTrue(elsewhere.isNew);
      assert.isTrue((yield* ask(id)).isNew);
      assert.isTrue((yield* ask(id)).isNew);
      yield* TestClock.adjust("1 minute");
      const second = yield* ask(id, { key: "slates" });
      assert.isTrue(second.isNew);
      yield* answer(second.question.id, "Blue");
      assert.isTrue((yield* ask(id, { key: "slates" })).isNew);
    }),
  );

  check(
    "[questions.ask.limit] 20 questions of an issue are open; an expired one makes room",
    Effect.gen(function* () {
      const { id } = yield* create();
      yield* ask(id, { expiresInSeconds: 60 });
      for (let count = 1; count < 20; count++) yield* ask(id, { key: `${count}` });
      assert.deepInclude(yield* refusal(ask(id)), { _tag: "LimitExceeded", limit: 20 });
      assert.isFalse((yield* ask(id, { key: "1" })).isNew);
      yield* TestClock.adjust("1 minute");
      yield* ask(id);
      assert.strictEqual(tagOf(yield* refusal(ask(id))), "LimitExceeded");
    }),
  );

  check(
    "[questions.ask.done] an issue that is Resolved or Closed takes no question, any other does",
    Effect.gen(function* () {
      for (const status of Issue.IssueStatus.literals) {
        const { id } = yield* inStatus(status);
        if (Issue.isOpen(status)) yield* ask(id);
        else {
          assert.deepInclude(yield* refusal(ask(id)), {
            _tag: "QuestionClosed",
            reason: "issueDone",
          });
        }
      }
    }),
  );

  check(
    "[questions.ask.agent] an agent asks a blocking question only on an issue that is assigned to it",
    Effect.gen(function* () {
      const own = yield* create({ assignedAgentId: "bot" });
      for (const other of [yield* create(), yield* create({ assignedAgentId: "other" })]) {
        assert.strictEqual(tagOf(yield* refusal(asBot(ask(other.id)))), "Forbidden");
        yield* asBot(ask(other.id, { blocking: false }));
        yield* ask(other.id);
      }
      yield* asBot(ask(own.id));
    }),
  );

  check(
    "[questions.answer] an answer closes the question and is a comment by the person, with the prompt quoted",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      const { id } = yield* asBot(asked(issue.id, { prompt: "Which slates?\nBlue or red?" }));
      yield* TestClock.adjust("1 second");
      const answered = yield* answer(id, "Blue\nones");
      assert.deepInclude(answered, {
        status: "answered",
        answer: "Blue\nones",
        answeredBy: { type: "User", id: "alice" },
        answeredAt: "1970-01-01T00:00:01.000Z",
      });
      assert.deepStrictEqual(yield* get(id), answered);
      const { items } = yield* Comments.Comments.use((comments) => comments.list(issue.id));
      assert.deepInclude(items[0], {
        content: "> Which slates?\n> Blue or red?\n\nBlue\nones",
        authorType: "User",
        authorId: "alice",
      });
      assert.deepStrictEqual((yield* turn(runId)).comments, items);
      const seen = yield* kinds(issue.id);
      assert.includeMembers([...seen], ["asked", "answered", "commented"]);
    }),
  );

  check(
    "[questions.answer.values] a choice takes one of its options, a confirm yes or no",
    Effect.gen(function* () {
      const { id } = yield* create();
      const choice = yield* asked(id, { kind: "choice", options: ["blue", "red"] });
      const confirm = yield* asked(id, { kind: "confirm" });
      const text = yield* asked(id);
      const refused = Effect.fnUntraced(function* (questionId: string, value: string) {
        const error = yield* refusal(answer(questionId, value));
        assert.deepInclude((error["errors"] as ReadonlyArray<object>)[0], { path: "answer" });
      });
      yield* refused(choice.id, "Blue");
      yield* refused(confirm.id, "true");
      yield* refused(text.id, "");
      yield* refused(text.id, "x".repeat(32_769));
      assert.strictEqual((yield* answer(choice.id, "red")).answer, "red");
      assert.strictEqual((yield* answer(confirm.id, "no")).answer, "no");
      assert.strictEqual((yield* answer(text.id, "x".repeat(32_768))).answer?.length, 32_768);
    }),
  );

  check(
    "[questions.answer.limits] the longest answer to the longest prompt is a comment",
    Effect.gen(function* () {
      const { id } = yield* create();
      const question = yield* asked(id, { prompt: "\n".repeat(8_192) });
      yield* answer(question.id, "x".repeat(32_768));
      const { items } = yield* Comments.Comments.use((comments) => comments.list(id));
      assert.isBelow(items[0]?.content.length ?? 1e9, 65_537);
    }),
  );

  check(
    "[questions.answer.agent] an agent answers no question",
    Effect.gen(function* () {
      const { id } = yield* create({ assignedAgentId: "bot" });
      const question = yield* asBot(asked(id));
      assert.deepInclude(yield* refusal(asBot(answer(question.id, "Blue"))), {
        _tag: "Forbidden",
        requiredRole: null,
      });
      assert.strictEqual(yield* statusOf(question.id), "open");
    }),
  );

  check(
    "[questions.answer.again] the same answer by the same person returns the question; any other is refused",
    Effect.gen(function* () {
      const { id } = yield* create();
      const question = yield* asked(id);
      const first = yield* answer(question.id, "Blue");
      yield* TestClock.adjust("1 second");
      assert.deepStrictEqual(yield* answer(question.id, "Blue"), first);
      const closed = { _tag: "QuestionClosed", reason: "answered" };
      assert.deepInclude(yield* refusal(answer(question.id, "Red")), closed);
      const bob = Callers.as(Callers.user("bob"));
      assert.deepInclude(yield* refusal(bob(answer(question.id, "Blue"))), closed);
      const { items } = yield* Comments.Comments.use((comments) => comments.list(id));
      assert.lengthOf(items, 1);
    }),
  );

  check(
    "[questions.withdraw] an open question is withdrawn once; an answered one is not",
    Effect.gen(function* () {
      const { id } = yield* create();
      const first = yield* asked(id);
      yield* withdraw(first.id);
      yield* withdraw(first.id);
      assert.deepInclude(yield* get(first.id), { status: "withdrawn", answer: null });
      assert.deepInclude(yield* refusal(answer(first.id, "Blue")), {
        _tag: "QuestionClosed",
        reason: "withdrawn",
      });
      const second = yield* asked(id);
      yield* answer(second.id, "Blue");
      assert.deepInclude(yield* refusal(withdraw(second.id)), { reason: "answered" });
      const seen = yield* kinds(id);
      assert.lengthOf(
        seen.filter((kind) => kind === "questionWithdrawn"),
        1,
      );
    }),
  );

  check(
    "[questions.withdraw.done] a resolve, a close, a finish and a deletion withdraw open questions",
    Effect.gen(function* () {
      const resolved = yield* create();
      const question = yield* asked(resolved.id);
      yield* put(resolved.id, { status: "Resolved" });
      assert.strictEqual(yield* statusOf(question.id), "withdrawn");
      const closed = yield* create();
      const other = yield* asked(closed.id, { blocking: false });
      yield* put(closed.id, { status: "Closed" });
      assert.strictEqual(yield* statusOf(other.id), "withdrawn");
      const { issue, runId } = yield* executing();
      const third = yield* asBot(asked(issue.id, { blocking: false }));
      yield* finish(runId, "resolved");
      assert.strictEqual(yield* statusOf(third.id), "withdrawn");
      assert.include(yield* kinds(issue.id), "questionWithdrawn");
    }),
  );

  check(
    "[questions.visibility] a question in a project that the caller may not see is not found",
    Effect.gen(function* () {
      const { id } = yield* create();
      const question = yield* asked(id);
      const outside = Callers.as({ ...alice, projects: ["elsewhere"] });
      for (const call of [
        get(question.id),
        answer(question.id, "Blue"),
        withdraw(question.id),
        ask(id),
        Questions.Questions.use((questions) => questions.list(id)),
      ]) {
        assert.strictEqual(tagOf(yield* refusal(outside(call))), "NotFound");
      }
      const viewer = Callers.as({ ...alice, role: "Viewer" });
      yield* viewer(get(question.id));
      for (const call of [answer(question.id, "Blue"), withdraw(question.id), ask(id)]) {
        assert.deepInclude(yield* refusal(viewer(call)), { requiredRole: "Editor" });
      }
    }),
  );

  check(
    "[questions.claim] a blocking question keeps heartbeats from its issue until it is answered",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      const question = yield* asBot(asked(issue.id));
      const informal = yield* asBot(asked(issue.id, { blocking: false }));
      yield* finish(runId, "released");
      assert.deepStrictEqual((yield* heartbeat("bot")).started, []);
      const answered = yield* answer(question.id, "Blue");
      const { started } = yield* heartbeat("bot");
      assert.deepStrictEqual(started[0]?.questions, [answered]);
      assert.strictEqual(started[0]?.comments[0]?.content, "> Which slates?\n\nBlue");
      assert.strictEqual(yield* statusOf(informal.id), "open");
    }),
  );

  check(
    "[questions.started] a run starts with the questions that were closed since the previous run started",
    Effect.gen(function* () {
      const { id } = yield* create({ assignedAgentId: "bot" });
      const before = yield* asked(id);
      const answered = yield* answer(before.id, "Blue");
      const expiring = yield* asked(id, { expiresInSeconds: 60, blocking: false });
      const open = yield* asked(id, { blocking: false });
      yield* TestClock.adjust("1 minute");
      const [first] = (yield* heartbeat("bot")).started;
      assert.deepStrictEqual(first?.questions, [answered, { ...expiring, status: "expired" }]);
      const next = yield* asBot(asked(id));
      const late = yield* answer(next.id, "Red");
      yield* withdraw(open.id);
      yield* finish(first?.runId ?? "", "released");
      const [second] = (yield* heartbeat("bot")).started;
      assert.deepStrictEqual(second?.questions, [late, { ...open, status: "withdrawn" }]);
      yield* finish(second?.runId ?? "", "released");
      const [third] = (yield* heartbeat("bot")).started;
      assert.deepStrictEqual(third?.questions, []);
    }),
  );
});
