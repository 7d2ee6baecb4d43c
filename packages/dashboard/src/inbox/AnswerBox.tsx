import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { useText } from "../data/inbox/answers.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { Button } from "../parts/Button.tsx";
import styles from "./AnswerBox.module.css";

/** A text field for an item, with its submit button. The draft is stored until it is sent. */
export const AnswerBox = ({
  children,
  hint,
  isOpened = false,
  item,
  label,
  max,
  onCancel,
  onSubmit,
  optional = false,
  submit,
}: {
  readonly item: InboxItem;
  readonly label: string;
  readonly submit: string;
  readonly onSubmit: (text: string) => void;
  /** The maximum length, in characters. */
  readonly max: number;
  readonly hint?: string;
  readonly optional?: boolean;
  /** Whether a button opened the field. If so, the field takes the focus. */
  readonly isOpened?: boolean;
  readonly onCancel?: () => void;
  /** Additional buttons. */
  readonly children?: ReactNode;
}) => {
  const [text, setText] = useText(item);
  const area = useRef<HTMLTextAreaElement>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!isOpened) return;
    area.current?.focus({ preventScroll: true });
    // Scrolls the whole form into view; focusing the field would reveal only the field.
    form.current?.scrollIntoView({ block: "nearest" });
  }, [isOpened]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) form.current?.requestSubmit();
    if (event.key !== "Escape") return;
    form.current?.closest<HTMLElement>("[data-item]")?.focus();
    onCancel?.();
  };
  const onFormSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (optional || text.trim() !== "") onSubmit(text);
  };

  return (
    <form ref={form} className={styles["box"]} onSubmit={onFormSubmit}>
      <textarea
        ref={area}
        className={styles["text"]}
        data-write
        aria-label={label}
        placeholder={label}
        dir="auto"
        rows={1}
        maxLength={max}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles["foot"]}>
        <Button
          type="submit"
          variant={text.trim() === "" ? "default" : "primary"}
          small
          disabled={!optional && text.trim() === ""}
        >
          {submit}
        </Button>
        {children}
        {onCancel === undefined ? null : (
          <Button small variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
        {hint === undefined ? null : <span className={styles["hint"]}>{hint}</span>}
      </div>
    </form>
  );
};
