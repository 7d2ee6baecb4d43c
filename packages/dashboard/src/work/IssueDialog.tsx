import type { BriefIssue } from "../data/issues/issues.ts";
import { EndDialog } from "../issueDialogs/EndDialog.tsx";
import { AssignDialog } from "./AssignDialog.tsx";
import { DeleteDialog } from "./DeleteDialog.tsx";
import { LabelDialog } from "./LabelDialog.tsx";
import { MoveDialog } from "./MoveDialog.tsx";

export type DialogName = "assign" | "label" | "move" | "close" | "delete";

/** The dialogs that ask for input before changing issues. */
export const IssueDialog = ({
  issues,
  name,
  onClose,
  onDone,
}: {
  readonly name: DialogName;
  readonly issues: ReadonlyArray<BriefIssue>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) => {
  const [first] = issues;
  switch (name) {
    case "assign":
      return <AssignDialog issues={issues} onClose={onClose} onDone={onDone} />;
    case "label":
      return <LabelDialog issues={issues} onClose={onClose} onDone={onDone} />;
    case "move":
      return <MoveDialog issues={issues} onClose={onClose} onDone={onDone} />;
    case "close":
    case "delete":
      if (issues.length > 1) {
        return <DeleteDialog issues={issues} onClose={onClose} onDone={onDone} />;
      }
      return first === undefined ? null : <EndDialog name={name} issue={first} onClose={onClose} />;
  }
};
