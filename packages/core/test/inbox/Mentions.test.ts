import { assert, describe } from "@effect/vitest";
import {
  Comments,
  Housekeeping,
  Inbox,
  Issues,
  Principal,
  Questions,
  Runs,
} from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Clock, Effect } from "effect";
import { TestClock } from "effect/testing";
import { check, create, executing, project, put, refusal } from "../support/World.ts";

type Request = Parameters<(typeof Inbox.Inbox)["Service"]["list"]>[0];

const listed = (request: Request = { kind: ["mentioned"] }) =>
  Inbox.Inbox.use((inbox) => Effect.map(inbox.list(request), ({ items }) => items));

const textsOf = Effect.map(listed(), (items) => items.map(({ detail }) => detail));

const dismiss = (issueId: string) => Inbox.Inbox.use((inbox) => inbox.dismiss(issueId));

const comment = (issueId: string, content: string) =>
  Comments.Comments.use((comments) => comments.create(issueId, { content }));

const eve = Callers.as(Callers.user("eve"));
const bob = Callers.as(Callers.user("bob"));

/** Comments in the name of Eve, a second later. */
const eveSays = (issueId: string, content: string) =>
  eve(Effect.andThen(TestClock.adjust("1 seconds"), comment(issueId, content)));

describe("Mentions", () => {
  check(
    "[inbox.mentioned] a comment that mentions a person is in the inbox of that person only",
    Effect.gen(function* () {
      const { id, key } = yield* create({ title: "Roof", priority: "high" });
      const { createdAt, id: commentId } = yield* eveSays(id, "@alice, which slates?");
      const [item] = yield* listed();
      assert.deepInclude(item, {
        kind: "mentioned",
        since: createdAt,
        priority: "high",
        projectId: project,
        issueId: id,
        issueKey: key,
        commentId,
        title: "Roof",
        detail: "@alice, which slates?",
      });
      assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* listed({}), [item]);
      assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* listed({ mine: true }), [item]);
      assert.deepStrictEqual(yield* listed({ kind: ["review"] }), []);
      assert.deepStrictEqual(yield* eve(textsOf), []);
      const asAgent = Callers.as(Callers.agent("alice"));
      assert.deepStrictEqual(yield* asAgent(textsOf), []);
      const [group] = yield* Inbox.Inbox.use((inbox) =>
        Effect.map(inbox.groups({}), ({ items }) => items),
      );
      assert.deepInclude(group, { kind: "mentioned", count: 1, ids: [id] });
    }),
  );

  check(
    "[inbox.mentioned] descriptions, answers and hand-ins mention people, once for each issue",
    Effect.gen(function* () {
      const described = yield* eve(create({ title: "a", description: "For @alice" }));
      yield* eve(put(described.id, { description: "For @alice and @bob" }));
      const [item] = yield* listed();
      assert.strictEqual(item?.detail, "For @alice and @bob");
      assert.isUndefined(item?.commentId);
      assert.deepStrictEqual(yield* bob(textsOf), ["For @alice and @bob"]);

      const { issue, runId } = yield* executing("bot");
      yield* Runs.Runs.use((runs) =>
        runs.finish("bot", runId, { outcome: "review", comment: "Done, @bob" }),
      );
      const ask = Questions.Questions.use((questions) =>
        questions.ask(issue.id, { prompt: "Is @alice right?" }),
      );
      const { question } = yield* eve(ask);
      yield* TestClock.adjust("1 seconds");
      yield* eve(
        Questions.Questions.use((questions) =>
          questions.answer(question.id, { answer: "Ask @bob" }),
        ),
      );
      assert.lengthOf(yield* listed(), 1);
      const texts = yield* bob(textsOf);
      assert.lengthOf(texts, 2);
      assert.include(texts[1], "Ask @bob");
    }),
  );

  check(
    "[inbox.mentioned] a text mentions neither its author nor a person who may not see the issue",
    Effect.gen(function* () {
      const { id } = yield* create();
      yield* comment(id, "@alice is me");
      assert.deepStrictEqual(yield* textsOf, []);
      yield* eveSays(id, "@alice");
      const elsewhere = { ...Principal.user("alice"), projects: ["elsewhere"] };
      assert.deepStrictEqual(yield* Callers.as(elsewhere)(textsOf), []);
      assert.strictEqual((yield* refusal(Callers.as(elsewhere)(dismiss(id))))._tag, "NotFound");
      assert.lengthOf(yield* textsOf, 1);
    }),
  );

  check(
    "[inbox.mentioned-ends] the person's next comment or Done ends it until the next mention",
    Effect.gen(function* () {
      const { id, key } = yield* create();
      yield* eveSays(id, "First, @alice");
      yield* eveSays(id, "More");
      assert.deepStrictEqual(yield* textsOf, ["First, @alice"]);
      yield* TestClock.adjust("1 seconds");
      yield* comment(id, "Two slates");
      assert.deepStrictEqual(yield* textsOf, []);

      yield* eveSays(id, "Second, @alice");
      yield* eveSays(id, "Third, @alice");
      assert.deepStrictEqual(yield* textsOf, ["Third, @alice"]);
      yield* eve(dismiss(id));
      assert.lengthOf(yield* textsOf, 1);
      yield* dismiss(key ?? "");
      yield* dismiss(id);
      assert.deepStrictEqual(yield* textsOf, []);
      yield* eveSays(id, "Fourth, @alice");
      assert.lengthOf(yield* textsOf, 1);
    }),
  );

  check(
    "[inbox.mentioned-ends] a text that no longer mentions the person ends it, and so do 90 days",
    Effect.gen(function* () {
      const { id } = yield* eve(create({ description: "@alice" }));
      const { id: commentId } = yield* eveSays(id, "@alice and @bob");
      const edit = (content: string) =>
        eve(Comments.Comments.use(({ update }) => update(id, commentId, { content })));
      yield* edit("@alice");
      assert.deepStrictEqual(yield* bob(textsOf), []);
      assert.deepStrictEqual(yield* textsOf, ["@alice"]);
      yield* eve(Comments.Comments.use(({ remove }) => remove(id, commentId)));
      yield* eve(put(id, { description: null }));
      assert.deepStrictEqual(yield* textsOf, []);

      yield* eveSays(id, "Later, @alice");
      const once = Housekeeping.Housekeeping.use((housekeeping) => housekeeping.once);
      yield* TestClock.adjust("89 days");
      yield* once;
      assert.lengthOf(yield* textsOf, 1);
      yield* TestClock.adjust("2 days");
      yield* once;
      assert.deepStrictEqual(yield* textsOf, []);
    }),
  );

  check(
    "[inbox.mentioned-ends] a snoozed mention returns with the next one",
    Effect.gen(function* () {
      const { id } = yield* create();
      yield* eveSays(id, "@alice");
      const until = new Date((yield* Clock.currentTimeMillis) + 60_000).toISOString();
      yield* Inbox.Inbox.use((inbox) =>
        inbox.snooze({ items: [{ kind: "mentioned", id }], until }),
      );
      assert.deepStrictEqual(yield* textsOf, []);
      yield* eveSays(id, "@alice, please");
      assert.deepStrictEqual(yield* textsOf, ["@alice, please"]);
      yield* Issues.Issues.use(({ remove }) => remove(id, { confirm: true }));
      assert.deepStrictEqual(yield* textsOf, []);
    }),
  );
});
