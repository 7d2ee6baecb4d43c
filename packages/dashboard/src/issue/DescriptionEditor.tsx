import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Issue } from "../data/issue.ts";
import { Conflict, useSaveText } from "../data/issueChanges.ts";
import { Button } from "../parts/Button.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Keys } from "../parts/Keys.tsx";
import { Markdown } from "../parts/Markdown.tsx";
import { Tabs } from "../parts/Tabs.tsx";
import { ConflictNote } from "./ConflictNote.tsx";
import styles from "./Issue.module.css";

/** Edits the description from `base`. The draft stays in the browser until it is saved or discarded. */
export const DescriptionEditor = ({
  base,
  draft,
  onBase,
  onClose,
  onDraft,
}: {
  readonly base: Issue;
  readonly draft: string;
  readonly onDraft: (text: string) => void;
  readonly onBase: (base: Issue) => void;
  readonly onClose: () => void;
}) => {
  const [text, setText] = useState(draft === "" ? (base.description ?? "") : draft);
  const [tab, setTab] = useState<"write" | "preview">("write");
  const { error, isPending, mutate } = useSaveText();
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => input.current?.focus(), []);

  const close = () => {
    onDraft("");
    onClose();
  };
  const save = (from: Issue = base) => {
    if (text === (from.description ?? "")) close();
    else mutate({ base: from, field: "description", text }, { onSuccess: close });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      save();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      // What was typed is discarded only by its button.
      if (text === (base.description ?? "")) close();
      else input.current?.blur();
    }
  };

  return (
    // It only listens for the keys that save.
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
              <textarea
                ref={input}
                aria-label="Description"
                placeholder="What is to be done? Markdown. The agent gets it as its task."
                dir="auto"
                maxLength={65_536}
                value={text}
                onChange={(event) => {
                  setText(event.target.value);
                  onDraft(event.target.value);
                }}
              />
            ),
          },
          {
            value: "preview",
            label: "Preview",
            content: (
              <div className={styles["preview"]} dir="auto">
                <Markdown text={text} />
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
          onMine={() => {
            onBase(error.actual);
            save(error.actual);
          }}
          onTheirs={close}
        />
      ) : error === null ? null : (
        <ErrorNote error={error} />
      )}
      {error instanceof Conflict ? null : (
        <div className={styles["editorFoot"]}>
          <Keys keys="mod+enter" />
          <Button small variant="quiet" onClick={close}>
            Discard
          </Button>
          <Button small variant="primary" disabled={isPending} onClick={() => save()}>
            Save
          </Button>
        </div>
      )}
    </div>
  );
};
