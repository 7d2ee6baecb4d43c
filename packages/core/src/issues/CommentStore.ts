import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { CommentRow } from "./Comment.ts";

/** Port: where comments are kept. Full text of the issue's list covers them. */
export class CommentStore extends Context.Service<
  CommentStore,
  {
    /** Keeps a new comment and gives it its `seq`. */
    insert(comment: Omit<CommentRow, "seq">): Effect.Effect<CommentRow, StorageError>;
    get(commentId: string): Effect.Effect<Option.Option<CommentRow>, StorageError>;
    list(issueId: string, slice: Slice): Effect.Effect<ReadonlyArray<CommentRow>, StorageError>;
  }
>()("@quartermaster/core/issues/CommentStore") {}
