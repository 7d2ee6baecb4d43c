import { Schema } from "effect";
import { Actor } from "../Actor.ts";
import { Timestamp } from "../Timestamp.ts";

export const DescriptionVersion = Schema.Struct({
  version: Schema.Int.annotateKey({
    description: "The version that the issue had with this description first.",
  }),
  description: Schema.NullOr(Schema.String).annotateKey({
    description: "The description in this version; null if the issue had none.",
  }),
  actor: Actor.annotateKey({ description: "The user or agent that wrote the description." }),
  createdAt: Timestamp.annotateKey({ description: "When the description was written." }),
}).annotate({
  identifier: "DescriptionVersion",
  description: "A description that an issue has or had.",
});
export interface DescriptionVersion extends Schema.Schema.Type<typeof DescriptionVersion> {}

export const TextChange = Schema.Struct({
  kind: Schema.Literals(["description", "comment"]).annotateKey({
    description: "The text that changed.",
  }),
  commentId: Schema.NullOr(Schema.String).annotateKey({
    description: "The comment that changed; null for the description.",
  }),
  version: Schema.Int.annotateKey({ description: "The version of the comment or issue since." }),
  content: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The text now: null for a description that was removed, empty for a comment that was deleted.",
  }),
  actor: Actor.annotateKey({ description: "The user or agent that changed the text." }),
  at: Timestamp.annotateKey({ description: "When the text changed." }),
}).annotate({
  identifier: "TextChange",
  description: "A change of a description or comment that a run may have read before.",
});
export interface TextChange extends Schema.Schema.Type<typeof TextChange> {}
