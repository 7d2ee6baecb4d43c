import { isFailure, isMention, isReview } from "../data/inbox/bulk.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { Button } from "../parts/Button.tsx";
import styles from "./Inbox.module.css";

/** The bar of actions on the selected items. */
export const BulkBar = ({
  items,
  onAssign,
  onClear,
  onFirst,
  onResolve,
  onSnooze,
}: {
  readonly items: ReadonlyArray<InboxItem>;
  readonly onFirst: () => void;
  readonly onResolve: () => void;
  readonly onAssign: () => void;
  readonly onSnooze: (anchor: Element) => void;
  readonly onClear: () => void;
}) => {
  const names = [
    items.some(isReview) ? "approve" : [],
    items.some(isFailure) ? "retry" : [],
  ].flat();
  const name = names.join(" or ");
  const hasIssues = items.some(({ issueId }) => issueId !== null);
  return (
    <section className={styles["bulk"]} aria-label="Selected items">
      {items.length} selected
      {name === "" ? null : (
        <Button small onClick={onFirst}>
          {name.replace(/^./, (letter) => letter.toUpperCase())}
        </Button>
      )}
      {hasIssues ? (
        <>
          <Button small onClick={onResolve}>
            {items.every(isMention) ? "Done" : "Resolve"}
          </Button>
          <Button small onClick={onAssign}>
            Assign
          </Button>
        </>
      ) : null}
      <Button small data-snooze-all onClick={(event) => onSnooze(event.currentTarget)}>
        Snooze
      </Button>
      <Button small variant="quiet" onClick={onClear}>
        Clear
      </Button>
    </section>
  );
};
