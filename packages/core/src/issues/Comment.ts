import { Schema } from "effect";
import { Actor } from "../Actor.ts";
import { ServiceId } from "../Id.ts";
import * as Text from "../Text.ts";
import { Timestamp } from "../Timestamp.ts";

export const AuthorType = Schema.Literals(["User", "Agent", "System"]);
export type AuthorType = typeof AuthorType.Type;

export const Comment = Schema.Struct({
  id: ServiceId.annotateKey({ description: "The comment's id." }),
  issueId: ServiceId.annotateKey({ description: "The issue that the comment is on." }),
  content: Schema.String.annotateKey({
    description: "1 to 65,536 characters; empty if the comment was deleted.",
  }),
  authorType: AuthorType.annotateKey({
    description: "`User` for a person, `Agent` for an agent, `System` for the service itself.",
  }),
  authorId: Schema.String.annotateKey({ description: "The user's, agent's or key's id." }),
  createdAt: Timestamp.annotateKey({ description: "When the comment was created." }),
  version: Schema.Int.annotateKey({
    description: "1 for a new comment, and 1 more after each edit and after the deletion.",
  }),
  editedAt: Schema.NullOr(Timestamp).annotateKey({
    description: "When the text was last edited; null if it never was.",
  }),
  deletedAt: Schema.NullOr(Timestamp).annotateKey({
    description: "When the comment was deleted; null if it was not.",
  }),
  deletedBy: Schema.NullOr(Actor).annotateKey({
    description: "The user or agent that deleted the comment; null if it was not deleted.",
  }),
  fixed: Schema.Boolean.annotateKey({
    description:
      "Whether the comment cannot be edited or deleted: hand-ins, answers, comments of the service, and deleted comments.",
  }),
}).annotate({ identifier: "Comment", description: "A comment on an issue." });
export interface Comment extends Schema.Schema.Type<typeof Comment> {}

/**
 * The stored form of a comment. The storage assigns `seq`, its position in the order of creation.
 */
export interface CommentRow extends Omit<Comment, "fixed"> {
  readonly seq: number;
  /** The run that handed the comment in, or the question that it answers; null for neither. */
  readonly sourceId: string | null;
}

/** The public form of a comment. */
export const toComment = (row: CommentRow): Comment => ({
  id: row.id,
  issueId: row.issueId,
  content: row.content,
  authorType: row.authorType,
  authorId: row.authorId,
  createdAt: row.createdAt,
  version: row.version,
  editedAt: row.editedAt,
  deletedAt: row.deletedAt,
  deletedBy: row.deletedBy,
  fixed: row.sourceId !== null || row.authorType === "System" || row.deletedAt !== null,
});

/** The fields of a comment that was neither edited nor deleted. */
export const unchanged = { version: 1, editedAt: null, deletedAt: null, deletedBy: null };

/** 1 to 65,536 characters, not only white space. */
export const Content = Text.between(1, 65_536).check(
  Schema.makeFilter<string>((text) => text.trim() !== "", {
    expected: "a comment that is not only white space",
  }),
);

export const CommentCreate = Schema.Struct({
  content: Content.annotateKey({
    description: "1 to 65,536 characters, not only white space.",
  }),
  authorType: Schema.optionalKey(Schema.NullOr(AuthorType)).annotateKey({
    description:
      "Default: the type that the key acts as, `User` for a user key and `Agent` for an agent key. A request that acts for a run can also comment as `Agent`, in the name of the run's agent. Other values are rejected.",
  }),
}).annotate({
  identifier: "CommentCreate",
  description: "The body of a request that adds a comment.",
});
export interface CommentCreate extends Schema.Schema.Type<typeof CommentCreate> {}

export const CommentUpdate = Schema.Struct({
  content: CommentCreate.fields.content,
}).annotate({
  identifier: "CommentUpdate",
  description: "The body of a request that edits a comment.",
});

export const CommentVersion = Schema.Struct({
  version: Schema.Int.annotateKey({ description: "The version of the comment." }),
  content: Schema.String.annotateKey({
    description: "The text in this version; empty in the version of the deletion.",
  }),
  editedBy: Actor.annotateKey({ description: "The user or agent that wrote this version." }),
  editedAt: Timestamp.annotateKey({ description: "When this version was written." }),
}).annotate({ identifier: "CommentVersion", description: "A text that a comment has or had." });
export interface CommentVersion extends Schema.Schema.Type<typeof CommentVersion> {}
