import { type Comment, CommentStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { mapped } from "../client/StorageErrors.ts";
import { beyond, clause, ordered } from "../sql/Clause.ts";
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
});

const table = Table.make("comments", layout);

/** A comment with the chapter of the search index that contains its words. */
const indexed = Table.make<Comment.CommentRow & { readonly chapter: number }>(
  "comments",
  (cells, row) => ({ ...layout(cells, row), chapter: cells.plain("chapter", row.chapter) }),
);

/** Comments in the current `SqlClient`. */
export const layer: Layer.Layer<CommentStore.CommentStore, never, SqlClient.SqlClient> =
  Layer.effect(
    CommentStore.CommentStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const insertRow = Prepared.insert(sql, indexed);
      const select = Prepared.select(sql, table);
      const get = Prepared.one(sql, table, "WHERE id = ?");
      const insert = Effect.fnUntraced(function* (comment: Table.New<Comment.CommentRow>) {
        const chapter = yield* SearchIndex.addComment(sql, comment.issueId, comment.content);
        return { ...comment, seq: yield* insertRow([{ ...comment, chapter }]) };
      });
      return CommentStore.CommentStore.of({
        insert: (comment) => mapped(insert(comment)),
        get: (commentId) => mapped(get(commentId)),
        list: (issueId, slice) =>
          mapped(
            select(clause`WHERE issue_id = ${issueId} AND ${beyond(slice)} ${ordered(slice)}`),
          ),
      });
    }),
  );
