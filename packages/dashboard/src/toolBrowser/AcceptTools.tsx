import { useState } from "react";
import { Button } from "../parts/Button.tsx";
import { Dialog, DialogFoot } from "../parts/Dialog.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { visible } from "../parts/visible.ts";
import { acceptancesOf, type Decide, type ToolEntry } from "./entry.ts";
import { ToolStateBadge } from "./ToolStateBadge.tsx";
import { ToolText } from "./ToolText.tsx";
import styles from "./AcceptTools.module.css";

/** Accepts several tools, exactly as they were when the dialog was opened. */
export const AcceptTools = ({
  decide,
  entries,
  onClose,
}: {
  readonly entries: ReadonlyArray<ToolEntry>;
  readonly decide: Decide;
  readonly onClose: () => void;
}) => {
  const [failures, setFailures] = useState<ReadonlyArray<Error>>([]);
  const [isBusy, setBusy] = useState(false);
  const count = entries.length === 1 ? "1 tool" : `${entries.length} tools`;
  const accept = async () => {
    setBusy(true);
    const results = await Promise.allSettled(acceptancesOf(entries).map(decide));
    const refused = results.flatMap((result) =>
      result.status === "rejected" ? [result.reason as Error] : [],
    );
    setBusy(false);
    setFailures(refused);
    if (refused.length === 0) onClose();
  };
  return (
    <Dialog open onClose={onClose} title={`Accept ${count}`}>
      <ul className={styles["list"]}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <details className={styles["item"]}>
              <summary>
                <span className={styles["name"]} dir="auto">
                  {visible(entry.name)}
                </span>
                <span className={styles["server"]}>{entry.server}</span>
                <ToolStateBadge state={entry.state} />
              </summary>
              <div className={styles["text"]}>
                <ToolText entry={entry} />
              </div>
            </details>
          </li>
        ))}
      </ul>
      {failures.map((error) => (
        <ErrorNote key={error.message} error={error} />
      ))}
      <DialogFoot>
        <Button onClick={onClose}>{failures.length === 0 ? "Cancel" : "Close"}</Button>
        {failures.length > 0 ? null : (
          <Button variant="primary" disabled={isBusy} onClick={() => void accept()}>
            Accept
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  );
};
