import { type KeyboardEvent, useEffect, useRef } from "react";
import type { Issue } from "../../data/issues/issue.ts";
import { Conflict, useText, useTexts } from "../../data/issues/texts.ts";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { ConflictNote } from "./ConflictNote.tsx";
import styles from "./Text.module.css";

/** The title. Enter or losing the focus saves it. */
export const Title = ({ canEdit, issue }: { readonly issue: Issue; readonly canEdit: boolean }) => {
  const { id } = issue;
  const { error, isDirty, text } = useText(issue, "title");
  const { discard, finish, keepMine, load, write } = useTexts();
  const input = useRef<HTMLTextAreaElement>(null);
  const wasTyped = useRef(isDirty);
  // A draft restored after a reload has no pending save, so the field saves it when it loses the focus.
  useEffect(() => {
    if (wasTyped.current) input.current?.focus();
  }, []);

  const save = () => {
    // Not the rendered text: Escape discarded it just before the field lost the focus.
    const typed = load("title", id)?.text.trim();
    if (typed === "") discard("title", id);
    else if (typed !== undefined && !(error instanceof Conflict)) {
      write(issue, "title", typed);
      void finish("title", id);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") {
      event.preventDefault();
      if (error === null) input.current?.blur();
      else save();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      discard("title", id);
      input.current?.blur();
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
        value={text}
        onChange={(event) => write(issue, "title", event.target.value.replaceAll(/[\r\n]+/g, " "))}
        onBlur={() => error === null && save()}
        onKeyDown={onKeyDown}
      />
      {error instanceof Conflict ? (
        <ConflictNote
          actual={error.actual.title}
          mine={text}
          onMine={() => void keepMine("title", error.actual)}
          onTheirs={() => discard("title", id)}
        />
      ) : error === null ? null : (
        <ErrorNote error={error} />
      )}
    </>
  );
};
