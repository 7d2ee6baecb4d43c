import { Suspense, useState } from "react";
import type { Comment } from "../../data/issues/stream.ts";
import { useName } from "../../data/live/names.ts";
import { useMay } from "../../data/live/session.ts";
import { Button } from "../../parts/Button.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { IconButton } from "../../parts/IconButton.tsx";
import { lazily } from "../../parts/lazily.ts";
import { Opening } from "../../parts/Opening.tsx";
import { exactTime, RelativeTime } from "../../parts/RelativeTime.tsx";
import { IssueText } from "../../texts/IssueText.tsx";
import { PersonAvatar } from "../common/PersonAvatar.tsx";
import { Who } from "../common/Who.tsx";
import { CommentEditor, hasDraft } from "./CommentEditor.tsx";
import styles from "./Stream.module.css";

const CommentVersions = lazily(() => import("../versions/CommentVersions.tsx"), "CommentVersions");
const DeleteComment = lazily(() => import("./DeleteComment.tsx"), "DeleteComment");

/** A comment, its editor, or the note that it was deleted. */
export const CommentItem = ({
  comment,
  isGone,
}: {
  readonly comment: Comment;
  readonly isGone: boolean;
}) => {
  const { authorId, authorType, content, createdAt, deletedAt, deletedBy, editedAt, fixed } =
    comment;
  const isAdmin = useMay("Admin");
  const isEditor = useMay("Editor");
  const { isMe } = useName(authorId);
  const canEdit = !isGone && (isEditor || isMe);
  const [isOpen, setOpen] = useState(() => hasDraft(comment));
  const [layer, setLayer] = useState<"versions" | "delete" | null>(null);
  const close = () => setLayer(null);
  const isEdited = isOpen && canEdit;
  const canDelete = canEdit && (!fixed || isAdmin);
  const versions = (text: string, title?: string) => (
    <Button small variant="quiet" title={title} onClick={() => setLayer("versions")}>
      {text}
    </Button>
  );
  return (
    <li className={styles["comment"]}>
      <div className={styles["by"]}>
        {authorType === "User" ? (
          <PersonAvatar id={authorId} />
        ) : (
          <span className={styles["agentIcon"]}>
            <Icon name={authorType === "Agent" ? "agents" : "server"} size={14} />
          </span>
        )}
        <span className={styles["who"]}>
          <Who id={authorId} />
        </span>
        <RelativeTime iso={createdAt} />
        {editedAt === null || deletedAt !== null
          ? null
          : versions("edited", `Edited ${exactTime(editedAt)}`)}
        <span className={styles["changes"]}>
          {canEdit && !fixed && !isEdited ? (
            <IconButton
              icon="pencil"
              label="Edit the comment"
              small
              onClick={() => setOpen(true)}
            />
          ) : null}
          {canDelete ? (
            <IconButton
              icon="trash"
              label="Delete the comment"
              small
              onClick={() => setLayer("delete")}
            />
          ) : null}
        </span>
      </div>
      {isEdited ? (
        <CommentEditor comment={comment} onClose={() => setOpen(false)} />
      ) : deletedBy === null ? (
        <div className={styles["content"]} dir="auto">
          <IssueText text={content} />
        </div>
      ) : (
        <p className={styles["deleted"]}>
          <span>
            Comment deleted by <Who id={deletedBy.id} isInside />
          </span>
          {versions("Show versions")}
        </p>
      )}
      <Suspense fallback={<Opening />}>
        {layer === "versions" ? (
          <CommentVersions issueId={comment.issueId} commentId={comment.id} onClose={close} />
        ) : layer === "delete" ? (
          <DeleteComment comment={comment} onClose={close} />
        ) : null}
      </Suspense>
    </li>
  );
};
