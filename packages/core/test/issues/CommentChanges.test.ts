import { assert, describe } from "@effect/vitest";
import { Comments, CurrentRun, Issues, Principal, Questions, Runs } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, flow } from "effect";
import { TestClock } from "effect/testing";
import { check, create, executing, refusal } from "../support/World.ts";

type Service = (typeof Comments.Comments)["Service"];

const comments = <A, E, R>(use: (comments: Service) => Effect.Effect<A, E, R>) =>
  Comments.Comments.use(use);

const bot = Callers.agent("bot");
const eve = Callers.as(Callers.user("eve"));
/** The author of the comments, who may only read by now. */
const asReader = Callers.as(Callers.user("alice", { role: "Viewer" }));

const comment = (issueId: string, content = "Two slates are loose") =>
  comments(({ create }) => create(issueId, { content }));

const edit = (issueId: string, id: string, content: string, ifMatch?: ReadonlyArray<number>) =>
  comments(({ update }) => update(issueId, id, { content }, { ifMatch }));

const remove = (
  issueId: string,
  id: string,
  options?: { readonly purge?: boolean; readonly ifMatch?: ReadonlyArray<number> },
) => comments(({ remove }) => remove(issueId, id, options));

const textsOf = (issueId: string, id: string) =>
  comments(({ versions }) =>
    Effect.map(versions(issueId, id), ({ items }) => items.map(({ content }) => content)),
  );

const only = (issueId: string) =>
  comments(({ list }) => Effect.map(list(issueId), ({ items }) => items[0]));

const tagOf = (call: Parameters<typeof refusal>[0]) =>
  Effect.map(refusal(call), ({ _tag }) => _tag);

const found = (q: string) =>
  Issues.Issues.use(({ listAcross }) => Effect.map(listAcross({ q }), ({ items }) => items.length));

/** The last entry of the timeline. */
const last = (issueId: string) =>
  Issues.Issues.use(({ activity }) =>
    Effect.map(activity(issueId, { order: "desc", limit: 1 }), ({ items }) => items[0]),
  );

describe("Changes of comments", () => {
  check(
    "[comments.edit] an edit replaces the text, keeps the earlier ones, and is on the timeline",
    Effect.gen(function* () {
      const issue = yield* create();
      const made = yield* comment(issue.id);
      assert.deepInclude(made, { version: 1, editedAt: null, deletedAt: null, fixed: false });
      assert.deepStrictEqual(yield* textsOf(issue.id, made.id), ["Two slates are loose"]);
      yield* TestClock.adjust("1 minute");
      const edited = yield* eve(edit(issue.key, made.id, "Three slates are loose"));
      const editedAt = "1970-01-01T00:01:00.000Z";
      assert.deepStrictEqual(edited, {
        ...made,
        content: "Three slates are loose",
        version: 2,
        editedAt,
      });
      assert.deepStrictEqual(yield* only(issue.id), edited);
      const { items } = yield* comments(({ versions }) => versions(issue.key, made.id));
      assert.deepStrictEqual(items, [
        {
          version: 1,
          content: "Two slates are loose",
          editedBy: { type: "User", id: "alice" },
          editedAt: "1970-01-01T00:00:00.000Z",
        },
        {
          version: 2,
          content: "Three slates are loose",
          editedBy: { type: "User", id: "eve" },
          editedAt,
        },
      ]);
      assert.deepInclude(yield* last(issue.id), {
        kind: "commentEdited",
        actor: { type: "User", id: "eve" },
        data: { commentId: made.id, version: 2 },
      });
      assert.deepStrictEqual([yield* found("two slates"), yield* found("three slates")], [0, 1]);
    }),
  );

  check(
    "[comments.edit] the same text again changes nothing, and versions are paged in both orders",
    Effect.gen(function* () {
      const issue = yield* create();
      const { id } = yield* comment(issue.id, "a");
      assert.strictEqual((yield* edit(issue.id, id, "a")).version, 1);
      yield* edit(issue.id, id, "b");
      yield* edit(issue.id, id, "c");
      const { versions } = yield* Comments.Comments;
      const first = yield* versions(issue.id, id, { limit: 2, order: "desc" });
      const rest = yield* versions(issue.id, id, {
        limit: 2,
        order: "desc",
        cursor: first.next ?? "",
      });
      assert.deepStrictEqual(
        [...first.items, ...rest.items].map(({ content }) => content),
        ["c", "b", "a"],
      );
      assert.isNull(rest.next);
    }),
  );

  check(
    "[comments.if-match] an edit and a deletion of another version are refused, with the version",
    Effect.gen(function* () {
      const issue = yield* create();
      const { id } = yield* comment(issue.id, "a");
      yield* edit(issue.id, id, "b", [1]);
      for (const call of [edit(issue.id, id, "c", [1]), remove(issue.id, id, { ifMatch: [1] })]) {
        assert.deepInclude(yield* refusal(call), { _tag: "PreconditionFailed", version: 2 });
      }
      yield* remove(issue.id, id, { ifMatch: [1, 2] });
    }),
  );

  check(
    "[comments.change.who] editors change every comment, viewers and agents only their own",
    Effect.gen(function* () {
      const issue = yield* create();
      const byAlice = yield* comment(issue.id);
      const byBot = yield* Callers.as(bot)(comment(issue.id));
      const other = Callers.as(Callers.agent("other"));
      const viewer = Callers.as(Callers.user("vic", { role: "Viewer" }));
      const elsewhere = Callers.as(Callers.user("eli", { projects: ["elsewhere"] }));
      for (const change of [
        (id: string) => edit(issue.id, id, "changed"),
        (id: string) => remove(issue.id, id),
      ]) {
        assert.strictEqual(yield* tagOf(Callers.as(bot)(change(byAlice.id))), "Forbidden");
        assert.strictEqual(yield* tagOf(other(change(byBot.id))), "Forbidden");
        assert.strictEqual(yield* tagOf(viewer(change(byAlice.id))), "Forbidden");
        assert.strictEqual(yield* tagOf(elsewhere(change(byAlice.id))), "NotFound");
        assert.strictEqual(yield* tagOf(change("cmt_none")), "NotFound");
        yield* Callers.as(bot)(change(byBot.id));
        yield* asReader(change(byAlice.id));
        yield* eve(change(byAlice.id));
      }
      const admin = Callers.as(Callers.agent("bot", { role: "Admin" }));
      assert.strictEqual(
        yield* tagOf(admin(remove(issue.id, byAlice.id, { purge: true }))),
        "Forbidden",
      );
      const another = yield* create();
      assert.strictEqual(yield* tagOf(edit(another.id, byAlice.id, "x")), "NotFound");
      const { versions } = yield* Comments.Comments;
      assert.strictEqual(yield* tagOf(elsewhere(versions(issue.id, byAlice.id))), "NotFound");
      assert.strictEqual(yield* tagOf(versions(another.id, byAlice.id)), "NotFound");
    }),
  );

  check(
    "[comments.fixed] hand-ins, answers and comments of the service stay as they are",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      const { question } = yield* Questions.Questions.use(({ ask }) =>
        ask(issue.id, { prompt: "Which slates?", blocking: false }),
      );
      yield* Questions.Questions.use(({ answer }) => answer(question.id, { answer: "Grey" }));
      yield* Runs.Runs.use(({ finish }) =>
        finish("bot", runId, { outcome: "review", comment: "Done" }),
      );
      yield* Callers.as(Principal.system)(comment(issue.id));
      const { items } = yield* comments(({ list }) => list(issue.id));
      assert.strictEqual(items.length, 3);
      for (const { fixed, id } of items) {
        assert.isTrue(fixed);
        assert.strictEqual(yield* tagOf(edit(issue.id, id, "changed")), "CommentFixed");
        assert.strictEqual(yield* tagOf(remove(issue.id, id)), "CommentFixed");
      }
      const acting = flow(
        Effect.provideService(CurrentRun.CurrentRun, { id: runId, agentId: "bot" }),
        Callers.as(bot),
      );
      const free = yield* acting(comment(issue.id));
      assert.strictEqual((yield* acting(edit(issue.id, free.id, "changed"))).version, 2);
    }),
  );

  check(
    "[comments.delete] a deleted comment keeps its id without a text, and its versions stay",
    Effect.gen(function* () {
      const issue = yield* create();
      const made = yield* comment(issue.id);
      yield* eve(remove(issue.id, made.id));
      const deletion = {
        content: "",
        version: 2,
        editedAt: null,
        deletedAt: "1970-01-01T00:00:00.000Z",
        deletedBy: { type: "User", id: "eve" },
        fixed: true,
      };
      assert.deepStrictEqual(yield* only(issue.id), { ...made, ...deletion } as typeof made);
      assert.deepInclude(yield* last(issue.id), {
        kind: "commentDeleted",
        data: { commentId: made.id, version: 2, purged: false },
      });
      yield* remove(issue.id, made.id);
      assert.strictEqual((yield* only(issue.id))?.version, 2);
      assert.strictEqual(yield* tagOf(edit(issue.id, made.id, "again")), "CommentFixed");
      assert.deepStrictEqual(yield* textsOf(issue.id, made.id), ["Two slates are loose"]);
      assert.strictEqual(yield* found("slates"), 0);
    }),
  );

  check(
    "[comments.purge] an Admin removes every version, also of deleted comments, hand-ins and answers",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      const editor = Callers.as(Callers.user("ed", { role: "Editor" }));
      const edited = yield* comment(issue.id, "canary one");
      yield* edit(issue.id, edited.id, "canary two");
      yield* remove(issue.id, edited.id);
      yield* comment(issue.id, "canary three");
      const { answer, ask, get } = yield* Questions.Questions;
      const { question } = yield* ask(issue.id, { prompt: "Which?", blocking: false });
      yield* answer(question.id, { answer: "canary four" });
      yield* Runs.Runs.use(({ finish }) =>
        finish("bot", runId, { outcome: "review", comment: "canary five" }),
      );
      const { items } = yield* comments(({ list }) => list(issue.id));
      assert.strictEqual(items.length, 4);
      for (const { id } of items) {
        const purge = remove(issue.id, id, { purge: true });
        assert.deepInclude(yield* refusal(editor(purge)), { requiredRole: "Admin" });
        yield* Callers.as(Callers.user("ann", { role: "Admin" }))(purge);
        assert.deepStrictEqual(yield* textsOf(issue.id, id), []);
      }
      const after = yield* comments(({ list }) => list(issue.id));
      assert.deepStrictEqual(
        after.items.map(({ content, deletedBy }) => [content, deletedBy?.id]),
        ["alice", "ann", "ann", "ann"].map((id) => ["", id]),
      );
      assert.strictEqual((yield* get(question.id)).answer, "");
      assert.strictEqual(yield* found("canary"), 0);
      assert.deepInclude((yield* last(issue.id))?.data, { purged: true });
    }),
  );
});
