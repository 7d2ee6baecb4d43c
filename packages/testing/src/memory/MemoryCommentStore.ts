import { CommentStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";

export const layer = Layer.effect(
  CommentStore.CommentStore,
  Effect.map(Database, (database) =>
    CommentStore.CommentStore.of({
      insert: (comment) =>
        database.write(({ comments }, locks) => {
          locks?.issue(comment.issueId);
          const row = { ...comment, seq: database.nextSeq() };
          comments.set(row.id, row);
          return row;
        }),
      update: (comment) =>
        database.write(({ comments }, locks) => {
          locks?.issue(comment.issueId);
          comments.set(comment.id, comment);
        }),
      get: (commentId) =>
        database.read(({ comments }) => Option.fromNullishOr(comments.get(commentId))),
      list: (issueId, slice) =>
        database.read(({ comments }) =>
          Rows.slice(comments.values(), slice, (comment) => comment.issueId === issueId),
        ),
    }),
  ),
);
