import { type KeyboardEvent, type RefObject, useRef } from "react";
import { useAddComment } from "../../data/issues/comments.ts";
import { Button } from "../../parts/Button.tsx";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { Keys } from "../../parts/Keys.tsx";
import { randomKey } from "../../parts/randomKey.ts";
import { useDraft } from "../../parts/useDraft.ts";
import { AttachButton } from "../../texts/AttachButton.tsx";
import { TextBox } from "../../texts/TextBox.tsx";
import { useTextFiles } from "../../texts/textFiles.ts";
import styles from "./Stream.module.css";

/** The form of a new comment. The draft is stored until the server has saved the comment. */
export const Composer = ({
  input,
  issueId,
}: {
  readonly issueId: string;
  readonly input: RefObject<HTMLTextAreaElement | null>;
}) => {
  const [text, setText] = useDraft(`comment ${issueId}`);
  const { error, isPending, mutate, reset } = useAddComment(issueId);
  const key = useRef<{ readonly text: string; readonly key: string } | null>(null);
  const files = useTextFiles(issueId, input);
  const canSend = text.trim() !== "" && !isPending && !files.isBusy;

  const send = () => {
    if (!canSend) return;
    if (key.current?.text !== text) key.current = { text, key: randomKey() };
    mutate(
      { content: text, key: key.current.key },
      {
        onSuccess: () => {
          setText("");
          key.current = null;
        },
      },
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      send();
    } else if (event.key === "Escape") {
      input.current?.blur();
      event.stopPropagation();
    }
  };

  return (
    <div className={styles["composer"]}>
      <ErrorNote error={error} />
      <div className={styles["box"]}>
        <TextBox
          issueId={issueId}
          files={files}
          input={input}
          aria-label="Comment"
          placeholder="Leave a comment…"
          dir="auto"
          rows={2}
          maxLength={65_536}
          value={text}
          readOnly={isPending}
          onChange={(event) => {
            setText(event.target.value);
            if (error !== null) reset();
          }}
          onKeyDown={onKeyDown}
        />
        <div className={styles["send"]}>
          <AttachButton files={files} />
          <span>Markdown works. The agent gets the comment with its next turn.</span>
          <Keys keys="mod+enter" />
          <Button small variant="primary" disabled={!canSend} onClick={send}>
            Comment
          </Button>
        </div>
      </div>
    </div>
  );
};
