import { assert } from "@effect/vitest";
import { CommentStore } from "@quartermaster/core";
import { Effect, type Layer, Option } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, checkPaging, everything, ids, texts } from "../Suite.ts";

/**
 * The requirements of every `CommentStore`. The `IssueStore` suite covers full-text search over
 * comments.
 */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void =>
  block(`CommentStore: ${name}`, storage, (it) => {
    it.effect("insert stores every field and assigns a growing seq", () =>
      Effect.gen(function* () {
        const comments = yield* CommentStore.CommentStore;
        const issue = yield* Fixtures.issue();
        const row = yield* Fixtures.commentRow(issue.id, {
          authorType: "Agent",
          authorId: "agent",
          createdAt: Fixtures.at(1.5),
        });
        const kept = yield* transact(comments.insert(row));
        assert.deepStrictEqual(kept, { ...row, seq: kept.seq });
        assert.deepStrictEqual(yield* comments.get(kept.id), Option.some(kept));
        assert.deepStrictEqual(yield* comments.get("cmt_unknown"), Option.none());
        const next = yield* Fixtures.comment(issue.id, { authorType: "System" });
        assert.isAbove(next.seq, kept.seq);
        assert.deepStrictEqual(yield* comments.list(issue.id, everything), [kept, next]);
      }),
    );

    it.effect.each([...texts, "道".repeat(65_536)])("keeps the text %j", (content) =>
      Effect.gen(function* () {
        const comments = yield* CommentStore.CommentStore;
        const issue = yield* Fixtures.issue();
        const kept = yield* Fixtures.comment(issue.id, { content, authorId: content });
        assert.strictEqual(kept.content, content);
        assert.deepStrictEqual(yield* comments.get(kept.id), Option.some(kept));
      }),
    );

    it.effect("list returns only the issue's comments, page by page, in both orders", () =>
      Effect.gen(function* () {
        const comments = yield* CommentStore.CommentStore;
        const issue = yield* Fixtures.issue();
        const other = yield* Fixtures.issue();
        yield* checkPaging(
          (slice) => comments.list(issue.id, slice),
          Effect.gen(function* () {
            const { id } = yield* Fixtures.comment(issue.id);
            yield* Fixtures.comment(other.id);
            return id;
          }),
        );
      }),
    );

    it.effect("update replaces every field of the comment", () =>
      Effect.gen(function* () {
        const comments = yield* CommentStore.CommentStore;
        const issue = yield* Fixtures.issue();
        const comment = yield* Fixtures.comment(issue.id, { sourceId: "run_one" });
        const other = yield* Fixtures.comment(issue.id);
        const edited = { ...comment, content: "Mended", version: 2, editedAt: Fixtures.at(1) };
        yield* transact(comments.update(edited));
        assert.deepStrictEqual(yield* comments.list(issue.id, everything), [edited, other]);
        const deleted = {
          ...edited,
          content: "",
          version: 3,
          deletedAt: Fixtures.at(2),
          deletedBy: Fixtures.alice,
        };
        yield* transact(comments.update(deleted));
        assert.deepStrictEqual(yield* comments.get(comment.id), Option.some(deleted));
      }),
    );

    it.effect("list starts after the given seq", () =>
      Effect.gen(function* () {
        const comments = yield* CommentStore.CommentStore;
        const issue = yield* Fixtures.issue();
        const first = yield* Fixtures.comment(issue.id);
        const second = yield* Fixtures.comment(issue.id);
        const since = { limit: 10, order: "asc", after: first.seq } as const;
        assert.deepStrictEqual(ids(yield* comments.list(issue.id, since)), [second.id]);
      }),
    );
  });
