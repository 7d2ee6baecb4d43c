import { Schema } from "effect";
import { ServiceId } from "../Id.ts";
import * as Text from "../Text.ts";
import { Timestamp } from "../Timestamp.ts";

export const AuthorType = Schema.Literals(["User", "Agent", "System"]);
export type AuthorType = typeof AuthorType.Type;

export const Comment = Schema.Struct({
  id: ServiceId,
  issueId: ServiceId,
  content: Schema.String,
  authorType: AuthorType,
  authorId: Schema.String,
  createdAt: Timestamp,
}).annotate({ identifier: "Comment" });
export interface Comment extends Schema.Schema.Type<typeof Comment> {}

/** A comment as storage keeps it; `seq` is its place in the order of creation, given by the storage. */
export interface CommentRow extends Comment {
  readonly seq: number;
}

/** 1 to 65,536 UTF-16 units. */
export const Content = Text.between(1, 65_536);

export const CommentCreate = Schema.Struct({
  content: Content,
  authorType: AuthorType,
}).annotate({ identifier: "CommentCreate" });
export interface CommentCreate extends Schema.Schema.Type<typeof CommentCreate> {}
