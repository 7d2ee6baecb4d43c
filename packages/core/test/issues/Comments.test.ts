import { assert, describe } from "@effect/vitest";
import { Comments, Principal } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect } from "effect";
import { check, create, inStatus, kinds } from "../support/World.ts";

const comment = (
  issueId: string,
  content = "Two slates are loose",
  authorType: "User" | "Agent" | "System" = "User",
) => Comments.Comments.use((comments) => comments.create(issueId, { content, authorType }));

describe("Comments", () => {
  check(
    "[comments.create] a comment is created, also on a Closed issue, and is on the timeline",
    Effect.gen(function* () {
      const comments = yield* Comments.Comments;
      const { id } = yield* inStatus("Closed");
      const made = yield* comment(id);
      assert.deepInclude(made, {
        issueId: id,
        content: "Two slates are loose",
        authorType: "User",
        authorId: "alice",
        createdAt: "1970-01-01T00:00:00.000Z",
      });
      assert.match(made.id, /^cmt_/);
      assert.strictEqual((yield* kinds(id)).at(-1), "commented");
      const second = yield* comment(id, "Mended");
      assert.deepStrictEqual((yield* comments.list(id)).items, [made, second]);
      const { items, next } = yield* comments.list(id, { order: "desc", limit: 1 });
      assert.deepStrictEqual(items, [second]);
      assert.isNotNull(next);
    }),
  );

  check(
    "[comments.author-type] a user sends only User, an agent only Agent, the service only System",
    Effect.gen(function* () {
      const { id } = yield* create();
      for (const principal of [Callers.user("bob"), Callers.agent("bot"), Principal.system]) {
        for (const type of ["User", "Agent", "System"] as const) {
          const answer = yield* Effect.result(Callers.as(principal)(comment(id, "A word", type)));
          if (answer._tag === "Success") {
            assert.deepInclude(answer.success, { authorType: type, authorId: principal.id });
            assert.strictEqual(type, principal.type);
          } else {
            assert.strictEqual(answer.failure._tag, "InvalidRequest");
            assert.notStrictEqual(type, principal.type);
          }
        }
      }
    }),
  );

  check(
    "[comments.author-default] without an author type, a comment has the type of its author",
    Effect.gen(function* () {
      const comments = yield* Comments.Comments;
      const { id } = yield* create();
      for (const principal of [Callers.user("bob"), Callers.agent("bot"), Principal.system]) {
        for (const body of [{ content: "A word" }, { content: "A word", authorType: null }]) {
          const made = yield* Callers.as(principal)(comments.create(id, body));
          assert.deepInclude(made, { authorType: principal.type, authorId: principal.id });
        }
      }
    }),
  );

  check(
    "[comments.refusals] a comment is refused with 403, 400 and 404, in this order",
    Effect.gen(function* () {
      const viewer = Callers.as(Callers.user("eve", { role: "Viewer" }));
      const bound = Callers.as(Callers.user("bob", { projects: ["other"] }));
      const { id } = yield* create();
      assert.strictEqual((yield* Effect.flip(viewer(comment("x", ""))))._tag, "Forbidden");
      for (const content of ["", "x".repeat(65_537), "\udc00"]) {
        assert.strictEqual((yield* Effect.flip(comment("x", content)))._tag, "InvalidRequest");
      }
      assert.strictEqual((yield* Effect.flip(comment("x")))._tag, "NotFound");
      assert.strictEqual((yield* Effect.flip(bound(comment(id))))._tag, "NotFound");
      assert.strictEqual((yield* comment(id, "x".repeat(65_536))).content.length, 65_536);
    }),
  );
});
