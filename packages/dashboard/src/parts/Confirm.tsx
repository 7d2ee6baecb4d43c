import type { ReactNode } from "react";
import { Button, type ButtonProps } from "./Button.tsx";
import { Dialog, DialogFoot } from "./Dialog.tsx";
import { ErrorNote } from "./ErrorNote.tsx";

/** A dialog that says what an action does, and asks for it. Control+Enter confirms. */
export const Confirm = ({
  action,
  children,
  onClose,
  onConfirm,
  request = null,
  title,
  variant = "danger",
}: {
  readonly title: string;
  /** The text of the button that confirms. */
  readonly action: string;
  readonly variant?: NonNullable<ButtonProps["variant"]>;
  /** The request that the action waits for. Default: none. */
  readonly request?: { readonly error: Error | null; readonly isPending: boolean } | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) => (
  <Dialog open onClose={onClose} title={title} onSubmit={onConfirm}>
    {children}
    <ErrorNote error={request?.error ?? null} />
    <DialogFoot>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" variant={variant} disabled={request?.isPending}>
        {action}
      </Button>
    </DialogFoot>
  </Dialog>
);
