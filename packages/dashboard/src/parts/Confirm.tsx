import { FormDialog, type FormDialogProps } from "./FormDialog.tsx";

/** A dialog that says what an action does, and asks for it. Control+Enter confirms. */
export const Confirm = ({
  onConfirm,
  variant = "danger",
  ...dialog
}: Omit<FormDialogProps, "onSubmit" | "isDisabled" | "initialFocus"> & {
  readonly onConfirm: () => void;
}) => <FormDialog variant={variant} onSubmit={onConfirm} {...dialog} />;
