import { useRef, useState } from "react";
import { Button } from "../parts/Button.tsx";
import { Dialog, DialogFoot } from "../parts/Dialog.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { AcceptItem } from "./AcceptItem.tsx";
import { acceptancesOf, type Decide, type ToolEntry } from "./entry.ts";
import styles from "./AcceptTools.module.css";

/**
 * The dialog that accepts several tools. It accepts exactly the digests shown when it opened, once the user
 * has scrolled through all of them.
 */
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
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLUListElement>(null);
  const noun = entries.every(({ kind }) => kind === "tool") ? "tool" : "change";
  const count = entries.length === 1 ? `1 ${noun}` : `${entries.length} ${noun}s`;
  const left = entries.length - seen.size;
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
    <Dialog
      open
      onClose={onClose}
      title={`Accept ${count}`}
      className={styles["dialog"]}
      initialFocus={list}
    >
      {/* Focused, so that the keyboard scrolls it. */}
      <ul ref={list} className={styles["list"]} tabIndex={0} aria-label="Changes">
        {entries.map((entry) => (
          <AcceptItem
            key={entry.id}
            entry={entry}
            list={list}
            onSeen={() => setSeen((before) => new Set(before).add(entry.id))}
          />
        ))}
      </ul>
      {failures.map((error) => (
        <ErrorNote key={error.message} error={error} />
      ))}
      <DialogFoot>
        <span className={styles["left"]} role="status">
          {left === 0
            ? ""
            : `Scroll to the end to accept: ${left} of ${entries.length} not seen yet.`}
        </span>
        <Button onClick={onClose}>{failures.length === 0 ? "Cancel" : "Close"}</Button>
        {failures.length > 0 ? null : (
          <Button variant="primary" disabled={isBusy || left > 0} onClick={() => void accept()}>
            Accept
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  );
};
