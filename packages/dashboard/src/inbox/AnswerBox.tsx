import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { useText } from "../data/inbox/answers.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { Button } from "../parts/Button.tsx";
import { AttachButton } from "../texts/AttachButton.tsx";
import { TextBox } from "../texts/TextBox.tsx";
import { useTextFiles } from "../texts/textFiles.ts";
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
  const files = useTextFiles(item.issueId ?? "", area);
  const canSend = (optional || text.trim() !== "") && !files.isBusy;
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
    if (canSend) onSubmit(text);
  };

  return (
    <form ref={form} className={styles["box"]} onSubmit={onFormSubmit}>
      <TextBox
        issueId={item.issueId ?? ""}
        files={files}
        input={area}
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
          disabled={!canSend}
        >
          {submit}
        </Button>
        {children}
        <AttachButton files={files} />
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
