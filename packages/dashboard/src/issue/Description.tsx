import { type RefObject, useImperativeHandle, useState } from "react";
import type { Issue } from "../data/issue.ts";
import { Button } from "../parts/Button.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Markdown } from "../parts/Markdown.tsx";
import { useDraft } from "../parts/useDraft.ts";
import { DescriptionEditor } from "./DescriptionEditor.tsx";
import styles from "./Issue.module.css";

/** What a draft of before a reload was edited from. */
const baseOf = (stored: string): Partial<Issue> => {
  try {
    return JSON.parse(stored);
  } catch {
    return {};
  }
};

/** The description, and the editor in its place. */
export const Description = ({
  canEdit,
  edit,
  issue,
}: {
  readonly issue: Issue;
  readonly canEdit: boolean;
  /** Starts editing. */
  readonly edit: RefObject<(() => void) | null>;
}) => {
  const [draft, setDraft] = useDraft(`description ${issue.id}`);
  const [edited, setEdited] = useDraft(`description base ${issue.id}`);
  const [base, setBase] = useState<Issue | null>(() =>
    draft === "" || !canEdit ? null : { ...issue, ...baseOf(edited) },
  );
  const start = () => setBase((known) => known ?? issue);
  useImperativeHandle(edit, () => start);
  if (base !== null) {
    return (
      <DescriptionEditor
        base={base}
        draft={draft}
        onDraft={(text) => {
          setDraft(text);
          const { description, version } = base;
          setEdited(text === "" ? "" : JSON.stringify({ description, version }));
        }}
        onBase={setBase}
        onClose={() => setBase(null)}
      />
    );
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
