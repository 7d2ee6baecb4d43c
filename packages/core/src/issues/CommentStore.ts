import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { CommentRow } from "./Comment.ts";

/** Port: comments. The full-text filter of the list of issues covers them. */
export class CommentStore extends Context.Service<
  CommentStore,
  {
    /** Inserts a comment and assigns its `seq`. */
    insert(comment: Omit<CommentRow, "seq">): Effect.Effect<CommentRow, StorageError>;
    /** Replaces everything but the `seq` of the comment of the same id. The search follows. */
    update(comment: CommentRow): Effect.Effect<void, StorageError>;
    /** Returns a comment. */
    get(commentId: string): Effect.Effect<Option.Option<CommentRow>, StorageError>;
    /** Returns the comments on an issue. */
    list(issueId: string, slice: Slice): Effect.Effect<ReadonlyArray<CommentRow>, StorageError>;
  }
>()("@quartermaster/core/issues/CommentStore") {}
