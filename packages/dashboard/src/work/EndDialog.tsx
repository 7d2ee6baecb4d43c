import { type BriefIssue, useEndIssue } from "../data/issues/issues.ts";
import { Button } from "../parts/Button.tsx";
import { Dialog, DialogFoot } from "../parts/Dialog.tsx";
import { consequences } from "./words.ts";
import styles from "./Work.module.css";

/** Says what happens when an issue is closed or deleted, and does it. */
export const EndDialog = ({
  command,
  issue,
  onClose,
}: {
  readonly command: "close" | "delete";
  readonly issue: BriefIssue;
  readonly onClose: () => void;
}) => {
  const { mutate } = useEndIssue();
  const isClose = command === "close";
  return (
    <Dialog open onClose={onClose} title={isClose ? "Close the issue" : "Delete the issue"}>
      <p className={styles["subject"]} dir="auto">
        {issue.title}
      </p>
      <ul className={styles["consequences"]}>
        {consequences(command, issue).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <DialogFoot>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant={isClose ? "primary" : "danger"}
          onClick={() => {
            mutate({
              issue,
              command: isClose
                ? { name: "close", force: issue.blocksCount > 0 }
                : { name: "delete" },
            });
            onClose();
          }}
        >
          {isClose ? (issue.blocksCount > 0 ? "Close anyway" : "Close") : "Delete"}
        </Button>
      </DialogFoot>
    </Dialog>
  );
};
