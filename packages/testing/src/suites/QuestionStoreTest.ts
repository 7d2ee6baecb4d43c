import { assert } from "@effect/vitest";
import { IssueStore, Question, QuestionStore } from "@quartermaster/core";
import { Effect, type Layer, Option } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, checkPaging, everything, ids, type It, texts } from "../Suite.ts";

const now = Fixtures.at(100);

const past = { expiresAt: now };
const future = { expiresAt: Fixtures.at(100.001) };
const answered = {
  status: "answered",
  answer: "yes",
  answeredBy: Fixtures.alice,
  answeredAt: Fixtures.at(50),
} as const;

/** The requirements of every `QuestionStore`. The `IssueStore` suite covers claims. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void =>
  block(`QuestionStore: ${name}`, storage, tests);

export const tests = (it: It<Storage>): void => {
  it.effect("insert stores every field and assigns a growing seq", () =>
    Effect.gen(function* () {
      const questions = yield* QuestionStore.QuestionStore;
      const issue = yield* Fixtures.issue();
      const row = yield* Fixtures.questionRow(issue, {
        ...answered,
        runId: "run_1",
        kind: "choice",
        options: ["yes", "no"],
        blocking: false,
        createdAt: Fixtures.at(1.5),
        expiresAt: Fixtures.at(90),
        onExpiry: "pause",
        key: "first",
      });
      const stored = yield* transact(questions.insert(row));
      assert.deepStrictEqual(stored, { ...row, seq: stored.seq });
      assert.deepStrictEqual(yield* questions.get(stored.id), Option.some(stored));
      assert.deepStrictEqual(yield* questions.get("qst_unknown"), Option.none());
      const next = yield* Fixtures.question(issue);
      assert.isAbove(next.seq, stored.seq);
      assert.deepStrictEqual(yield* questions.get(next.id), Option.some(next));
    }),
  );

  it.effect.each(texts.filter((text) => text !== ""))("stores the text %j", (text) =>
    Effect.gen(function* () {
      const questions = yield* QuestionStore.QuestionStore;
      const issue = yield* Fixtures.issue();
      const stored = yield* Fixtures.question(issue, {
        prompt: text,
        options: [text, "other"],
        answer: text,
        key: text,
        askedBy: { type: "User", id: text },
        answeredBy: { type: "User", id: text },
      });
      assert.strictEqual(stored.prompt, text);
      assert.deepStrictEqual(yield* questions.get(stored.id), Option.some(stored));
    }),
  );

  it.effect("update replaces the rows of the same ids, and no others", () =>
    Effect.gen(function* () {
      const questions = yield* QuestionStore.QuestionStore;
      const issue = yield* Fixtures.issue();
      const first = yield* Fixtures.question(issue);
      const second = yield* Fixtures.question(issue);
      const third = yield* Fixtures.question(issue);
      const unknown = { ...third, id: "qst_unknown" };
      yield* transact(
        questions.update([{ ...first, ...answered }, { ...second, status: "expired" }, unknown]),
      );
      assert.deepStrictEqual(yield* questions.list({ issueId: issue.id, now }, everything), [
        { ...first, ...answered },
        { ...second, status: "expired" },
        third,
      ]);
      assert.deepStrictEqual(yield* questions.get("qst_unknown"), Option.none());
    }),
  );

  it.effect("open returns questions that are stored as open, even after their expiry", () =>
    Effect.gen(function* () {
      const questions = yield* QuestionStore.QuestionStore;
      const issue = yield* Fixtures.issue();
      const due = yield* Fixtures.question(issue, past);
      yield* Fixtures.question(issue, answered);
      yield* Fixtures.question(issue, { status: "expired" });
      yield* Fixtures.question(issue, { status: "withdrawn" });
      yield* Fixtures.question(yield* Fixtures.issue());
      const open = yield* Fixtures.question(issue, { blocking: false });
      assert.deepStrictEqual(yield* questions.open(issue.id), [due, open]);
      assert.deepStrictEqual(yield* questions.open("iss_unknown"), []);
    }),
  );

  it.effect("list returns only the issue's questions, page by page, in both orders", () =>
    Effect.gen(function* () {
      const questions = yield* QuestionStore.QuestionStore;
      const issue = yield* Fixtures.issue();
      const other = yield* Fixtures.issue();
      yield* checkPaging(
        (slice) => questions.list({ issueId: issue.id, now }, slice),
        Effect.gen(function* () {
          const { id } = yield* Fixtures.question(issue);
          yield* Fixtures.question(other);
          return id;
        }),
      );
    }),
  );

  it.effect("list filters by the status as of the given time", () =>
    Effect.gen(function* () {
      const questions = yield* QuestionStore.QuestionStore;
      const issue = yield* Fixtures.issue();
      const make = (overrides: Partial<Question.QuestionRow>) =>
        Fixtures.question(issue, overrides);
      const free = yield* make({});
      const due = yield* make(past);
      const open = yield* make(future);
      const expired = yield* make({ ...past, status: "expired" });
      const withdrawn = yield* make({ ...past, status: "withdrawn" });
      const done = yield* make({ ...past, ...answered });
      const expected = {
        open: [free, open],
        answered: [done],
        expired: [due, expired],
        withdrawn: [withdrawn],
      };
      for (const status of Question.QuestionStatus.literals) {
        const found = yield* questions.list({ issueId: issue.id, status, now }, everything);
        assert.deepStrictEqual(found, expected[status]);
      }
    }),
  );

  it.effect(
    "correctExpiries moves open questions that were created later than a minute from now",
    () =>
      Effect.gen(function* () {
        const questions = yield* QuestionStore.QuestionStore;
        const issue = yield* Fixtures.issue();
        const made = (createdAt: number, rest: object) =>
          Fixtures.question(issue, { createdAt: Fixtures.at(createdAt), ...rest });
        const late = yield* made(86_500, { expiresAt: Fixtures.at(86_560) });
        const soon = yield* made(160, { expiresAt: Fixtures.at(220) });
        const never = yield* made(86_500, {});
        const closed = yield* made(86_500, { ...answered, expiresAt: Fixtures.at(86_560) });
        yield* transact(questions.correctExpiries(now));
        const read = ({ id }: { readonly id: string }) =>
          Effect.map(questions.get(id), Option.getOrThrow);
        const corrected = { ...late, createdAt: now, expiresAt: Fixtures.at(160) };
        assert.deepStrictEqual(yield* read(late), corrected);
        for (const row of [soon, never, closed]) assert.deepStrictEqual(yield* read(row), row);
        yield* transact(questions.correctExpiries(Fixtures.at(101)));
        assert.deepStrictEqual(yield* read(late), corrected);
      }),
  );

  it.effect("due returns open questions that have expired, earliest first", () =>
    Effect.gen(function* () {
      const questions = yield* QuestionStore.QuestionStore;
      const issue = yield* Fixtures.issue();
      const dueAt = (limit: number) =>
        Effect.map(questions.due(now, limit), (rows) =>
          ids(rows.filter(({ issueId }) => issueId === issue.id)),
        );
      const late = yield* Fixtures.question(issue, { expiresAt: Fixtures.at(-899) });
      const early = yield* Fixtures.question(issue, { expiresAt: Fixtures.at(-900) });
      const sameTime = yield* Fixtures.question(issue, { expiresAt: Fixtures.at(-899) });
      yield* Fixtures.question(issue, future);
      yield* Fixtures.question(issue, {});
      yield* Fixtures.question(issue, { ...answered, ...past });
      assert.deepStrictEqual(yield* dueAt(500), ids([early, late, sameTime]));
      assert.deepStrictEqual(yield* dueAt(2), ids([early, late]));
      assert.deepStrictEqual(yield* dueAt(0), []);
    }),
  );

  it.effect(
    "countOpen counts the questions that are open at the given time in the given projects",
    () =>
      Effect.gen(function* () {
        const questions = yield* QuestionStore.QuestionStore;
        const projectId = yield* Fixtures.id("project");
        const issue = yield* Fixtures.issue({ projectId });
        const other = yield* Fixtures.issue({ projectId: `${projectId}x` });
        const before = yield* questions.countOpen(null, now);
        for (const overrides of [{}, future, past, answered, { status: "withdrawn" } as const]) {
          yield* Fixtures.question(issue, overrides);
        }
        yield* Fixtures.question(other);
        assert.strictEqual(yield* questions.countOpen(null, now), before + 3);
        assert.strictEqual(yield* questions.countOpen([projectId], now), 2);
        assert.strictEqual(yield* questions.countOpen([], now), 0);
      }),
  );

  it.effect("the removal of an issue removes its questions", () =>
    Effect.gen(function* () {
      const questions = yield* QuestionStore.QuestionStore;
      const issues = yield* IssueStore.IssueStore;
      const issue = yield* Fixtures.issue();
      const other = yield* Fixtures.issue();
      const gone = yield* Fixtures.question(issue);
      const left = yield* Fixtures.question(other);
      yield* transact(issues.remove(issue.id));
      assert.deepStrictEqual(yield* questions.get(gone.id), Option.none());
      assert.deepStrictEqual(yield* questions.open(issue.id), []);
      assert.deepStrictEqual(yield* questions.get(left.id), Option.some(left));
    }),
  );
};
