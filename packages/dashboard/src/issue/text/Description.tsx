import { type RefObject, Suspense, useImperativeHandle, useState } from "react";
import type { Issue } from "../../data/issues/issue.ts";
import { useChangeIssue } from "../../data/issues/issues.ts";
import { useText } from "../../data/issues/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { lazily } from "../../parts/lazily.ts";
import { Opening } from "../../parts/Opening.tsx";
import { IssueText } from "../../texts/IssueText.tsx";
import { ticked } from "../../texts/tasks.ts";
import { DescriptionEditor } from "./DescriptionEditor.tsx";
import styles from "./Text.module.css";

const DescriptionVersions = lazily(
  () => import("../versions/DescriptionVersions.tsx"),
  "DescriptionVersions",
);

/** The description, or its editor. */
export const Description = ({
  canEdit,
  edit,
  issue,
}: {
  readonly issue: Issue;
  readonly canEdit: boolean;
  /** Receives the function that opens the editor. */
  readonly edit: RefObject<(() => void) | null>;
}) => {
  const { isDirty } = useText(issue, "description");
  const { mutate } = useChangeIssue();
  const tick = (start: number, isDone: boolean) =>
    mutate({ issue, change: { description: ticked(issue.description ?? "", start, isDone) } });
  const [isOpen, setOpen] = useState(isDirty);
  const [showsVersions, setShowsVersions] = useState(false);
  const start = () => setOpen(true);
  useImperativeHandle(edit, () => start);
  if (isOpen && canEdit) {
    return <DescriptionEditor issue={issue} onClose={() => setOpen(false)} />;
  }
  return (
    <div className={styles["description"]}>
      {issue.description === null ? null : (
        <div dir="auto">
          <IssueText text={issue.description} onTask={canEdit ? tick : undefined} />
        </div>
      )}
      <div className={styles["buttons"]}>
        {canEdit ? (
          <Button small variant="quiet" onClick={start}>
            <Icon name="pencil" size={14} />
            {issue.description === null ? "Add a description" : "Edit"}
          </Button>
        ) : issue.description === null ? (
          <p className={styles["faint"]}>No description.</p>
        ) : null}
        {issue.version === 1 ? null : (
          <Button small variant="quiet" onClick={() => setShowsVersions(true)}>
            <Icon name="clock" size={14} />
            Versions
          </Button>
        )}
      </div>
      <Suspense fallback={<Opening />}>
        {showsVersions ? (
          <DescriptionVersions issueId={issue.id} onClose={() => setShowsVersions(false)} />
        ) : null}
      </Suspense>
    </div>
  );
};
