import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Issue } from "../../data/issues/issue.ts";
import { Conflict, useText, useTexts } from "../../data/issues/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { Keys } from "../../parts/Keys.tsx";
import { Tabs } from "../../parts/Tabs.tsx";
import { AttachButton } from "../../texts/AttachButton.tsx";
import { IssueText } from "../../texts/IssueText.tsx";
import { TextBox } from "../../texts/TextBox.tsx";
import { useTextFiles } from "../../texts/textFiles.ts";
import { ConflictNote } from "./ConflictNote.tsx";
import styles from "./Text.module.css";

const field = "description";

/** The editor of the description, which saves while the user types. */
export const DescriptionEditor = ({
  issue,
  onClose,
}: {
  readonly issue: Issue;
  readonly onClose: () => void;
}) => {
  const { id } = issue;
  const { base, error, isDirty, isSending, text } = useText(issue, field);
  const { discard, finish, keepMine, resume, write } = useTexts();
  const [original] = useState(base.description ?? "");
  const [tab, setTab] = useState<"write" | "preview">("write");
  const input = useRef<HTMLTextAreaElement>(null);
  const files = useTextFiles(id, input);
  useEffect(() => {
    input.current?.focus();
    resume(field, id);
  }, [id, resume]);

  const close = async (saved: Promise<boolean>) => {
    if (await saved) onClose();
  };
  const done = () => void close(finish(field, id));
  const onKeyDown = (event: KeyboardEvent) => {
    const isSave = event.key === "Enter" && (event.metaKey || event.ctrlKey);
    if (!isSave && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    done();
  };

  return (
    // The key handler only saves; the field inside is interactive.
    <div className={styles["editor"]} onKeyDown={onKeyDown}>
      <Tabs
        label="Description"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: "write",
            label: "Write",
            content: (
              <TextBox
                issueId={id}
                files={files}
                input={input}
                aria-label="Description"
                placeholder="What needs to be done? The agent gets this text as its task. Markdown works."
                dir="auto"
                maxLength={65_536}
                value={text}
                onChange={(event) => write(issue, field, event.target.value)}
              />
            ),
          },
          {
            value: "preview",
            label: "Preview",
            content: (
              <div className={styles["preview"]} dir="auto">
                <IssueText text={text} />
              </div>
            ),
          },
        ]}
        render={(list, content) => (
          <>
            <div className={styles["editorHead"]}>{list}</div>
            {content}
          </>
        )}
      />
      {error instanceof Conflict ? (
        <ConflictNote
          actual={error.actual.description}
          mine={text}
          onMine={() => void close(keepMine(field, error.actual))}
          onTheirs={() => {
            discard(field, id);
            onClose();
          }}
        />
      ) : error === null ? null : (
        <ErrorNote error={error} />
      )}
      {error instanceof Conflict ? null : (
        <div className={styles["editorFoot"]}>
          <AttachButton files={files} />
          <span role="status" className={styles["saved"]}>
            {isSending || (isDirty && error === null)
              ? "Saving…"
              : isDirty
                ? "Not saved yet"
                : text === original
                  ? ""
                  : "Saved"}
          </span>
          {text === original ? null : (
            <Button
              small
              variant="quiet"
              onClick={() => {
                write(issue, field, original);
                done();
              }}
            >
              Discard changes
            </Button>
          )}
          <Keys keys="mod+enter" />
          <Button small variant="primary" onClick={done}>
            Done
          </Button>
        </div>
      )}
    </div>
  );
};
