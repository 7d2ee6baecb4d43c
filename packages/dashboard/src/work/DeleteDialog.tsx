import { type BriefIssue, useDeleteIssues } from "../data/issues/issues.ts";
import { Confirm } from "../parts/Confirm.tsx";
import { useToasts } from "../parts/toast.ts";

/** The confirmation of deleting several issues. */
export const DeleteDialog = ({
  issues,
  onClose,
  onDone,
}: {
  readonly issues: ReadonlyArray<BriefIssue>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) => {
  const { toast } = useToasts();
  const request = useDeleteIssues();
  const working = issues.filter(({ liveRun }) => liveRun !== null).length;
  const blocking = issues.filter(({ blocksCount }) => blocksCount > 0).length;
  const remove = () =>
    request.mutate(issues, {
      onSuccess: () => {
        toast(`${issues.length} issues deleted`);
        onDone();
      },
    });
  return (
    <Confirm
      title={`Delete ${issues.length} issues?`}
      action="Delete permanently"
      request={request}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        This permanently deletes the issues with their descriptions, comments, timelines, links and
        attachments.
      </p>
      {working === 0 ? null : <p>Agents work on {working} of them and stop at their next turn.</p>}
      {blocking === 0 ? null : (
        <p>
          Open issues depend on {blocking} of them. Issues with no other open blocker become open.
        </p>
      )}
    </Confirm>
  );
};
