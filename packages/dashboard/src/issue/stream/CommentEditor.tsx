import { type KeyboardEvent, useEffect, useRef } from "react";
import { isChanged, useEditComment } from "../../data/issues/comments.ts";
import type { Comment } from "../../data/issues/stream.ts";
import { Button } from "../../parts/Button.tsx";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { Keys } from "../../parts/Keys.tsx";
import { readDraft, useDraft, writeDraft } from "../../parts/useDraft.ts";
import { AttachButton } from "../../texts/AttachButton.tsx";
import { TextBox } from "../../texts/TextBox.tsx";
import { useTextFiles } from "../../texts/textFiles.ts";
import { ConflictNote } from "../text/ConflictNote.tsx";
import styles from "./Stream.module.css";

/** A text that is being edited, and the version of the comment that it replaces. */
interface Draft {
  readonly text: string;
  readonly version: number;
}

const nameOf = ({ id }: Comment) => `edit ${id}`;

/** Whether the browser stores an edit of the comment that was not saved. */
export const hasDraft = (comment: Comment): boolean => readDraft(nameOf(comment)) !== "";

/** The editor of a comment. The draft is stored until the server has saved it. */
export const CommentEditor = ({
  comment,
  onClose,
}: {
  readonly comment: Comment;
  readonly onClose: () => void;
}) => {
  const name = nameOf(comment);
  const [stored, store] = useDraft(name);
  const draft: Draft =
    stored === "" ? { text: comment.content, version: comment.version } : JSON.parse(stored);
  const { error, isPending, mutate, reset } = useEditComment(comment);
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => input.current?.focus(), []);

  const close = () => {
    writeDraft(name, "");
    onClose();
  };
  const files = useTextFiles(comment.issueId, input);
  const isSaveable = draft.text.trim() !== "" && !isPending && !files.isBusy;
  const save = (version: number) => {
    if (!isSaveable) return;
    if (draft.text === comment.content) return close();
    mutate({ content: draft.text, version }, { onSuccess: close });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isSave = event.key === "Enter" && (event.metaKey || event.ctrlKey);
    if (!isSave && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (isSave) save(draft.version);
    else if (draft.text === comment.content) close();
    else input.current?.blur();
  };
  const isConflict = isChanged(error) && draft.text !== comment.content;

  return (
    // The key handler only saves and closes; the field inside is interactive.
    <div className={styles["box"]} onKeyDown={onKeyDown}>
      <TextBox
        issueId={comment.issueId}
        files={files}
        input={input}
        aria-label="Edit the comment"
        dir="auto"
        maxLength={65_536}
        value={draft.text}
        readOnly={isPending}
        onChange={({ target }) => {
          store(JSON.stringify({ ...draft, text: target.value }));
          if (error !== null && !isConflict) reset();
        }}
      />
      {isConflict ? (
        <ConflictNote
          actual={comment.content}
          mine={draft.text}
          onMine={() => save(comment.version)}
          onTheirs={close}
        />
      ) : (
        <>
          {error === null || isChanged(error) ? null : <ErrorNote error={error} />}
          <div className={styles["send"]}>
            <AttachButton files={files} />
            <span>Earlier texts stay readable.</span>
            <Keys keys="mod+enter" />
            <Button small onClick={close}>
              Cancel
            </Button>
            <Button
              small
              variant="primary"
              disabled={!isSaveable}
              onClick={() => save(draft.version)}
            >
              Save
            </Button>
          </div>
        </>
      )}
    </div>
  );
};
