import { type KeyboardEvent, useRef, useState } from "react";
import type { Issue } from "../data/issue.ts";
import { Conflict, useSaveText } from "../data/issueChanges.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { ConflictNote } from "./ConflictNote.tsx";
import styles from "./Issue.module.css";

/** The title. It is saved by Enter, or when another element gets the focus. */
export const Title = ({ canEdit, issue }: { readonly issue: Issue; readonly canEdit: boolean }) => {
  const [draft, setDraft] = useState<{ readonly base: Issue; readonly text: string } | null>(null);
  const { error, mutate, reset } = useSaveText();
  const input = useRef<HTMLTextAreaElement>(null);

  const cancel = () => {
    setDraft(null);
    reset();
  };
  const save = (base: Issue | undefined = draft?.base) => {
    const text = draft?.text.trim() ?? "";
    if (base === undefined || draft === null) return;
    if (text === base.title || text === "") cancel();
    else mutate({ base, field: "title", text }, { onSuccess: cancel });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") {
      event.preventDefault();
      if (error === null) input.current?.blur();
      else if (!(error instanceof Conflict)) save();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      cancel();
      requestAnimationFrame(() => input.current?.blur());
    }
  };

  if (!canEdit) {
    return (
      <h1 className={styles["title"]} dir="auto">
        {issue.title}
      </h1>
    );
  }
  return (
    <>
      <h1 className={styles["hidden"]}>{issue.title}</h1>
      <textarea
        ref={input}
        className={styles["titleInput"]}
        aria-label="Title"
        dir="auto"
        rows={1}
        maxLength={256}
        value={draft?.text ?? issue.title}
        onChange={(event) => {
          const text = event.target.value.replaceAll(/[\r\n]+/g, " ");
          setDraft((known) => ({ base: known?.base ?? issue, text }));
        }}
        onBlur={() => error === null && save()}
        onKeyDown={onKeyDown}
      />
      {error instanceof Conflict && draft !== null ? (
        <ConflictNote
          actual={error.actual.title}
          mine={draft.text}
          onMine={() => save(error.actual)}
          onTheirs={cancel}
        />
      ) : error === null ? null : (
        <ErrorNote error={error} />
      )}
    </>
  );
};
