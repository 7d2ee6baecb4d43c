import { Effect, Layer, Option } from "effect";
import { type Comment, CommentStore } from "@quartermaster/core";
import { SqlClient } from "effect/sql";
import * as Keyset from "../sql/Keyset.ts";
import * as SearchIndex from "./SearchIndex.ts";
import { mapped } from "../client/StorageErrors.ts";

interface Columns {
  readonly seq: number;
  readonly id: string;
  readonly issue_id: string;
  readonly author_type: Comment.AuthorType;
  readonly author_id: string;
  readonly created_at: string;
  readonly content: string;
}

const toRow = (columns: Columns): Comment.CommentRow => ({
  seq: columns.seq,
  id: columns.id,
  issueId: columns.issue_id,
  content: columns.content,
  authorType: columns.author_type,
  authorId: columns.author_id,
  createdAt: columns.created_at,
});

const insert = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  comment: Omit<Comment.CommentRow, "seq">,
) {
  const chapter = yield* SearchIndex.addComment(sql, comment.issueId, comment.content);
  const rows = yield* sql<Columns>`INSERT INTO comments ${sql.insert({
    id: comment.id,
    issue_id: comment.issueId,
    chapter,
    author_type: comment.authorType,
    author_id: comment.authorId,
    created_at: comment.createdAt,
    content: comment.content,
  })} RETURNING seq`;
  return { ...comment, seq: rows[0]?.seq ?? 0 };
});

/** Comments in the present `SqlClient`. */
export const layer: Layer.Layer<CommentStore.CommentStore, never, SqlClient.SqlClient> =
  Layer.effect(
    CommentStore.CommentStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      return CommentStore.CommentStore.of({
        insert: (comment) => mapped(insert(sql, comment)),
        get: (commentId) =>
          mapped(
            Effect.map(sql<Columns>`SELECT * FROM comments WHERE id = ${commentId}`, ([columns]) =>
              Option.map(Option.fromNullishOr(columns), toRow),
            ),
          ),
        list: (issueId, slice) =>
          mapped(
            Effect.map(
              sql<Columns>`SELECT * FROM comments WHERE issue_id = ${issueId}
                AND ${Keyset.beyond(sql, slice)} ${Keyset.ordered(sql, slice)}`,
              (rows) => rows.map(toRow),
            ),
          ),
      });
    }),
  );
