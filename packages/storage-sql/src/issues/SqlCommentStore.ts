import { type Comment, CommentStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { beyond, clause, ordered } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";
import * as SearchIndex from "./SearchIndex.ts";

const layout: Table.Layout<Comment.CommentRow> = (cells, row) => ({
  seq: cells.plain("seq", row.seq),
  id: cells.plain("id", row.id),
  issueId: cells.plain("issue_id", row.issueId),
  content: cells.plain("content", row.content),
  authorType: cells.plain("author_type", row.authorType),
  authorId: cells.plain("author_id", row.authorId),
  createdAt: cells.plain("created_at", row.createdAt),
  version: cells.plain("version", row.version),
  editedAt: cells.plain("edited_at", row.editedAt),
  deletedAt: cells.plain("deleted_at", row.deletedAt),
  deletedBy: cells.json("deleted_by", row.deletedBy),
  sourceId: cells.plain("source_id", row.sourceId),
});

const table = Table.make("comments", layout);

/** A comment with the chapter of the search index that contains its words. */
const indexed = Table.make<Comment.CommentRow & { readonly chapter: number }>(
  "comments",
  (cells, row) => ({ ...layout(cells, row), chapter: cells.plain("chapter", row.chapter) }),
);

const changing = Table.part(indexed, [
  "content",
  "version",
  "edited_at",
  "deleted_at",
  "deleted_by",
  "chapter",
]);

/** Comments in the current `SqlClient`. */
export const layer: Layer.Layer<CommentStore.CommentStore, never, SqlClient.SqlClient> =
  Layer.effect(
    CommentStore.CommentStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const insertRow = Prepared.insertOne(sql, indexed);
      const select = Prepared.select(sql, table);
      const get = Prepared.one(sql, table, "WHERE id = ?");
      const insert = Effect.fnUntraced(function* (comment: Table.New<Comment.CommentRow>) {
        const chapter = yield* SearchIndex.addComment(sql, comment.issueId, comment.content);
        const { seq } = yield* insertRow({ ...comment, chapter });
        return { ...comment, seq };
      });
      const updateRow = Prepared.update(sql, "comments", changing);
      const update = Effect.fnUntraced(function* (comment: Comment.CommentRow) {
        const chapter = yield* SearchIndex.changeComment(sql, comment.id, comment.content);
        yield* updateRow([{ ...comment, chapter }]);
      });
      return CommentStore.CommentStore.of({
        insert: (comment) => mapped(insert(comment)),
        update: (comment) => mapped(update(comment)),
        get: (commentId) => mapped(get(commentId)),
        list: (issueId, slice) =>
          mapped(
            select(clause`WHERE issue_id = ${issueId} AND ${beyond(slice)} ${ordered(slice)}`),
          ),
      });
    }),
  );
