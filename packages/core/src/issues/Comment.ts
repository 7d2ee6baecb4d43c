import { Schema } from "effect";
import { ServiceId } from "../Id.ts";
import * as Text from "../Text.ts";
import { Timestamp } from "../Timestamp.ts";

export const AuthorType = Schema.Literals(["User", "Agent", "System"]);
export type AuthorType = typeof AuthorType.Type;

export const Comment = Schema.Struct({
  id: ServiceId.annotateKey({ description: "The comment's id." }),
  issueId: ServiceId.annotateKey({ description: "The issue that the comment is on." }),
  content: Schema.String.annotateKey({ description: "1 to 65,536 characters." }),
  authorType: AuthorType.annotateKey({
    description: "`User` for a person, `Agent` for an agent, `System` for the service itself.",
  }),
  authorId: Schema.String.annotateKey({ description: "The user's, agent's or key's id." }),
  createdAt: Timestamp.annotateKey({ description: "When the comment was created." }),
}).annotate({ identifier: "Comment", description: "A comment on an issue." });
export interface Comment extends Schema.Schema.Type<typeof Comment> {}

/**
 * The stored form of a comment. The storage assigns `seq`, its position in the order of creation.
 */
export interface CommentRow extends Comment {
  readonly seq: number;
}

/** 1 to 65,536 characters. */
export const Content = Text.between(1, 65_536);

const notBlank = Content.check(
  Schema.makeFilter<string>((text) => text.trim() !== "", {
    expected: "a comment that is not only white space",
  }),
);

export const CommentCreate = Schema.Struct({
  content: notBlank.annotateKey({
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
