import { Dialog as Base } from "@base-ui/react/dialog";
import { type FormEvent, type KeyboardEvent, type ReactNode, type RefObject, useRef } from "react";
import { classes } from "./classes.ts";
import { IconButton } from "./IconButton.tsx";
import styles from "./Dialog.module.css";

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** Whether the title is hidden from view, as in the palette. */
  readonly bare?: boolean;
  /** Whether Escape and clicks outside leave the dialog open. Its own buttons close it. */
  readonly stays?: boolean;
  readonly initialFocus?: RefObject<HTMLElement | null>;
  /**
   * Makes the body a form. Control+Enter and Command+Enter submit it from every element of the dialog, and from the
   * dialog itself, which gets the focus if the focused element disappears. The browser reports missing required fields.
   */
  readonly onSubmit?: () => void;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export const Dialog = ({
  bare = false,
  children,
  className,
  initialFocus,
  onClose,
  onSubmit,
  open,
  stays = false,
  title,
}: DialogProps) => {
  const popup = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
    if (form.current === null) return;
    event.preventDefault();
    if (form.current.querySelector("[type=submit]:disabled") === null) form.current.requestSubmit();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  const content =
    onSubmit === undefined ? (
      children
    ) : (
      <form ref={form} className={styles["form"]} onSubmit={submit}>
        {children}
      </form>
    );
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && !stays && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles["backdrop"]} />
        <Base.Viewport className={styles["viewport"]}>
          <Base.Popup
            className={classes(styles["popup"], className)}
            ref={popup}
            onKeyDown={onKeyDown}
            // Not the close button: its tooltip would consume the first Escape. Base UI itself would wait for the next
            // frame: keys pressed before it would be lost.
            initialFocus={() => {
              if (popup.current?.contains(document.activeElement) !== true) {
                (initialFocus?.current ?? popup.current)?.focus({ preventScroll: true });
              }
              return false;
            }}
          >
            {bare ? (
              <Base.Title className={styles["hidden"]}>{title}</Base.Title>
            ) : (
              <div className={styles["head"]}>
                <Base.Title className={styles["title"]}>{title}</Base.Title>
                {stays ? null : <IconButton icon="close" label="Close" small onClick={onClose} />}
              </div>
            )}
            {bare ? content : <div className={styles["body"]}>{content}</div>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
};

/** The row of buttons at the end of a dialog. */
export const DialogFoot = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles["foot"]}>{children}</div>
);
