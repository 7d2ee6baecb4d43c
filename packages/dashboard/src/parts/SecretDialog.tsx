import { type ReactNode, useRef, useState } from "react";
import { Button } from "./Button.tsx";
import { Dialog, DialogFoot } from "./Dialog.tsx";
import { Icon } from "./Icon.tsx";
import styles from "./SecretDialog.module.css";

/** A secret, shown once. The dialog stays open until the user closes it with its button. */
export const SecretDialog = ({
  children,
  label,
  name,
  noun,
  onClose,
  text,
  value,
}: {
  /** The name of the field. */
  readonly label: string;
  readonly noun: "key" | "secret";
  readonly value: string;
  /** The name of the owner of the secret. */
  readonly name: string;
  /** The rest of the sentence after the name. */
  readonly text: string;
  readonly children?: ReactNode;
  readonly onClose: () => void;
}) => {
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  // Backward: the field shows the start of the secret.
  const select = () => input.current?.setSelectionRange(0, value.length, "backward");
  const copy = () => {
    select();
    // Browsers provide no clipboard without HTTPS, so the secret is selected for manual copying.
    navigator.clipboard?.writeText(value).then(
      () => setCopied(true),
      () => {},
    );
  };
  return (
    <Dialog open stays onClose={onClose} title={`Copy the ${noun} now`} initialFocus={input}>
      <p className={styles["intro"]}>
        <b dir="auto">{name}</b> {text} You can copy the {noun} only now: it is not shown again.
      </p>
      <div className={styles["secret"]}>
        <input ref={input} readOnly aria-label={label} value={value} onFocus={select} />
        <Button variant="primary" onClick={copy}>
          <Icon name={isCopied ? "check" : "copy"} />
          {isCopied ? "Copied" : "Copy"}
        </Button>
      </div>
      {children}
      <DialogFoot>
        <Button onClick={onClose}>Done</Button>
      </DialogFoot>
    </Dialog>
  );
};
