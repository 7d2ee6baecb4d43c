import { useRef, useState } from "react";
import { Button } from "../parts/Button.tsx";
import { Dialog, DialogFoot } from "../parts/Dialog.tsx";
import { Icon } from "../parts/Icon.tsx";
import styles from "./Webhooks.module.css";

/** A secret, shown once. The dialog stays open until the user closes it with its button. */
export const NewSecret = ({
  name,
  onClose,
  secret,
  text,
}: {
  readonly name: string;
  /** Null for a repeated request. */
  readonly secret: string | null;
  /** The rest of the sentence after the name. */
  readonly text: string;
  readonly onClose: () => void;
}) => {
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const value = secret ?? "";
  const copy = () => {
    input.current?.select();
    // Browsers provide no clipboard without HTTPS, so the secret is selected for manual copying.
    navigator.clipboard?.writeText(value).then(
      () => setCopied(true),
      () => {},
    );
  };
  return (
    <Dialog open stays onClose={onClose} title="Copy the secret now" initialFocus={input}>
      <p className={styles["note"]}>
        <b dir="auto">{name}</b> {text} You can copy it only now: it is not shown again.
      </p>
      <div className={styles["secret"]}>
        <input
          ref={input}
          readOnly
          aria-label="Secret"
          value={value}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button variant="primary" onClick={copy}>
          <Icon name={isCopied ? "check" : "copy"} />
          {isCopied ? "Copied" : "Copy"}
        </Button>
      </div>
      <DialogFoot>
        <Button onClick={onClose}>Done</Button>
      </DialogFoot>
    </Dialog>
  );
};
