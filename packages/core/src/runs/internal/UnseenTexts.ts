import { Effect } from "effect";
import type { RunRow } from "../../agents/Run.ts";
import { toComment } from "../../issues/Comment.ts";
import { CommentStore } from "../../issues/CommentStore.ts";
import type { TextChange } from "../../issues/Version.ts";
import { type VersionRow, VersionStore } from "../../issues/VersionStore.ts";

/** The most changed texts of a turn. A text has up to 64 KiB. */
const mostChanges = 50;

/** The texts of the issue that a turn returns. */
export const make = Effect.gen(function* () {
  const comments = yield* CommentStore;
  const versions = yield* VersionStore;

  /**
   * Comments by others that the run has not seen, texts that others changed since it read them, and the
   * positions of the newest ones after that.
   */
  return Effect.fnUntraced(function* (run: RunRow) {
    const { agentId, commentSeq, issueId, versionSeq } = run;
    const [rows, changed] = yield* Effect.all(
      [
        comments.list(issueId, { limit: 500, order: "asc", after: commentSeq }),
        versions.since(issueId, versionSeq, mostChanges),
      ],
      { concurrency: 2 },
    );
    const isOwn = (type: string, id: string) => type === "Agent" && id === agentId;
    const unread = new Set(rows.map(({ id }) => id));
    return {
      seen: {
        commentSeq: rows.at(-1)?.seq ?? commentSeq,
        versionSeq: changed.at(-1)?.seq ?? versionSeq,
      },
      comments: rows
        .filter(
          ({ authorId, authorType, deletedAt }) =>
            deletedAt === null && !isOwn(authorType, authorId),
        )
        .map(toComment),
      changes: changed
        .filter(({ actor, textId }) => !isOwn(actor.type, actor.id) && !unread.has(textId))
        .map(toChange),
    };
  });
});

const toChange = ({
  actor,
  content,
  createdAt,
  issueId,
  textId,
  version,
}: VersionRow): TextChange => ({
  ...(textId === issueId
    ? { kind: "description", commentId: null }
    : { kind: "comment", commentId: textId }),
  version,
  content,
  actor,
  at: createdAt,
});
