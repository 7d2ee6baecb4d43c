import { Dialog as Base } from "@base-ui/react/dialog";
import { type ReactNode, type RefObject, useRef } from "react";
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
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export const Dialog = ({
  bare = false,
  children,
  className,
  initialFocus,
  onClose,
  open,
  stays = false,
  title,
}: DialogProps) => {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && !stays && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles["backdrop"]} />
        <Base.Viewport className={styles["viewport"]}>
          <Base.Popup
            className={classes(styles["popup"], className)}
            ref={popup}
            // Not the close button: its tooltip would consume the first Escape.
            initialFocus={initialFocus ?? popup}
          >
            {bare ? (
              <Base.Title className={styles["hidden"]}>{title}</Base.Title>
            ) : (
              <div className={styles["head"]}>
                <Base.Title className={styles["title"]}>{title}</Base.Title>
                {stays ? null : <IconButton icon="close" label="Close" small onClick={onClose} />}
              </div>
            )}
            {bare ? children : <div className={styles["body"]}>{children}</div>}
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
