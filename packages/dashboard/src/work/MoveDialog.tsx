import { type BriefIssue, useChangeIssues } from "../data/issues/issues.ts";
import { MovePicker } from "../issueDialogs/MovePicker.tsx";
import { shared } from "./words.ts";

/** The picker of the project that issues move to. The shell offers to take the move back. */
export const MoveDialog = ({
  issues,
  onClose,
  onDone,
}: {
  readonly issues: ReadonlyArray<BriefIssue>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) => {
  const { mutate } = useChangeIssues({ isShown: false });
  const current = shared(issues.map(({ projectId }) => projectId));
  return (
    <MovePicker
      current={current || null}
      onPick={(projectId) => {
        mutate({
          issues,
          changeOf: (issue) => (issue.projectId === projectId ? null : { projectId }),
        });
        onDone();
      }}
      onClose={onClose}
    />
  );
};
