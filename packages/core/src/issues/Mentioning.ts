import { Effect } from "effect";
import type { Actor } from "../Actor.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { CommentRow } from "./Comment.ts";
import { MentionStore } from "./MentionStore.ts";
import { namesIn } from "./rules/MentionNames.ts";

export interface MentioningText {
  readonly issueId: string;
  /** The comment's id, or the issue's id for its description. */
  readonly textId: string;
  /** The text before the change; null for a new one. */
  readonly before: string | null;
  readonly after: string | null;
  /** The author, who is not notified of mentions of themselves. */
  readonly actor: Actor;
  readonly at: Timestamp;
}

/** A comment as its author wrote it. */
export const ofComment = (comment: CommentRow, before: string | null): MentioningText => ({
  issueId: comment.issueId,
  textId: comment.id,
  before,
  after: comment.content,
  actor: { type: comment.authorType, id: comment.authorId },
  at: comment.createdAt,
});

/** Records the mentions of a text in the transaction that writes it. A text without `@` costs nothing. */
export const make = Effect.map(MentionStore, (store) =>
  Effect.fnUntraced(function* (text: MentioningText) {
    const { actor, after, at: since, before, issueId, textId } = text;
    const earlier = namesIn(before);
    const names = namesIn(after);
    const gone = earlier.filter((name) => !names.includes(name));
    const isOwn = (name: string) => actor.type === "User" && name === actor.id;
    const added = names.filter((name) => !earlier.includes(name) && !isOwn(name));
    if (gone.length > 0) yield* store.remove({ issueId, textId, names: gone });
    if (added.length > 0) {
      yield* store.insert(added.toSorted().map((name) => ({ name, issueId, textId, since })));
    }
  }),
);
