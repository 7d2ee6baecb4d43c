import { type RefObject, useImperativeHandle, useState } from "react";
import type { Issue } from "../../data/issues/issue.ts";
import { useText } from "../../data/issues/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { Markdown } from "../../parts/Markdown.tsx";
import { DescriptionEditor } from "./DescriptionEditor.tsx";
import styles from "./Text.module.css";

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
  const [isOpen, setOpen] = useState(isDirty);
  const start = () => setOpen(true);
  useImperativeHandle(edit, () => start);
  if (isOpen && canEdit) {
    return <DescriptionEditor issue={issue} onClose={() => setOpen(false)} />;
  }
  return (
    <div className={styles["description"]}>
      {issue.description === null ? null : (
        <div dir="auto">
          <Markdown text={issue.description} />
        </div>
      )}
      {canEdit ? (
        <Button small variant="quiet" className={styles["edit"]} onClick={start}>
          <Icon name="pencil" size={14} />
          {issue.description === null ? "Add a description" : "Edit"}
        </Button>
      ) : issue.description === null ? (
        <p className={styles["faint"]}>No description.</p>
      ) : null}
    </div>
  );
};
