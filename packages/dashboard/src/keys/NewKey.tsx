import { useRef, useState } from "react";
import type { ApiKeyCreated } from "../data/keys.ts";
import { useData } from "../data/live/data.ts";
import { Button } from "../parts/Button.tsx";
import { Command } from "../parts/Command.tsx";
import { Dialog, DialogFoot } from "../parts/Dialog.tsx";
import { Icon } from "../parts/Icon.tsx";
import styles from "./Dialogs.module.css";

/**
 * The secret of a new key, shown once. The dialog stays open until the user closes it with its
 * button.
 */
export const NewKey = ({
  created,
  onClose,
}: {
  readonly created: ApiKeyCreated;
  readonly onClose: () => void;
}) => {
  const { base } = useData();
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    input.current?.setSelectionRange(0, created.key.length, "backward");
    // Browsers provide no clipboard without HTTPS, so the key is selected for manual copying.
    navigator.clipboard?.writeText(created.key).then(
      () => setCopied(true),
      () => {},
    );
  };
  return (
    <Dialog open stays onClose={onClose} title="Copy the key now" initialFocus={input}>
      <p className={styles["once"]}>
        <b dir="auto">{created.name}</b> is created. You can copy the key only now: it is not shown
        again.
      </p>
      <div className={styles["secret"]}>
        <input
          ref={input}
          readOnly
          aria-label="API key"
          value={created.key}
          onFocus={({ currentTarget }) =>
            currentTarget.setSelectionRange(0, created.key.length, "backward")
          }
        />
        <Button variant="primary" onClick={copy}>
          <Icon name={isCopied ? "check" : "copy"} />
          {isCopied ? "Copied" : "Copy"}
        </Button>
      </div>
      <p className={styles["once"]}>
        {created.role === "Metrics"
          ? "Send it as a bearer token to /metrics."
          : created.agentId === null
            ? "Use it to sign in on this page, or in a terminal:"
            : "On the agent's machine, store it with:"}
      </p>
      {created.role === "Metrics" ? null : (
        <Command line={`quartermaster login ${base.replace(/\/$/, "")}`} />
      )}
      <DialogFoot>
        <Button onClick={onClose}>Done</Button>
      </DialogFoot>
    </Dialog>
  );
};
