import type { ReactNode, RefObject } from "react";
import { Button, type ButtonProps } from "./Button.tsx";
import { Dialog, DialogFoot } from "./Dialog.tsx";
import { ErrorNote } from "./ErrorNote.tsx";

export interface FormDialogProps {
  readonly title: string;
  /** The text of the button that submits. */
  readonly action: string;
  readonly variant?: NonNullable<ButtonProps["variant"]>;
  /** The request that submitting waits for. Default: none. */
  readonly request?: { readonly error: Error | null; readonly isPending: boolean } | null;
  /** Whether the form cannot be submitted as it is. Default: false. */
  readonly isDisabled?: boolean;
  readonly initialFocus?: RefObject<HTMLElement | null>;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog with a form, the failure of its request, and buttons that cancel and submit. Control+Enter submits. */
export const FormDialog = ({
  action,
  children,
  isDisabled = false,
  onClose,
  request = null,
  variant = "primary",
  ...dialog
}: FormDialogProps) => (
  <Dialog open onClose={onClose} {...dialog}>
    {children}
    <ErrorNote error={request?.error ?? null} />
    <DialogFoot>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" variant={variant} disabled={isDisabled || request?.isPending === true}>
        {action}
      </Button>
    </DialogFoot>
  </Dialog>
);
