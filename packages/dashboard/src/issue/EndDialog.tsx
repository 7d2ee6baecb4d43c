import { Link, useNavigate } from "@tanstack/react-router";
import type { Issue } from "../data/issues/issue.ts";
import { useEndIssue } from "../data/issues/issues.ts";
import { useNeighbors } from "../data/issues/links.ts";
import { useAttachments } from "../data/issues/upload.ts";
import { Button } from "../parts/Button.tsx";
import { Dialog, DialogFoot } from "../parts/Dialog.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { StatusIcon } from "../parts/StatusIcon.tsx";
import { toast } from "../parts/toast.ts";
import styles from "./Dialogs.module.css";

const isOpen = (status: Issue["status"]) => status !== "Resolved" && status !== "Closed";

/** Closes or deletes the issue, and says before what that does. */
export const EndDialog = ({
  issue,
  name,
  onClose,
}: {
  readonly issue: Issue;
  readonly name: "close" | "delete";
  readonly onClose: () => void;
}) => {
  const navigate = useNavigate();
  const { error, isPending, mutate } = useEndIssue();
  const graph = useNeighbors(issue.id).data;
  const files = useAttachments(issue.id).data?.length ?? 0;
  const waiting = new Set(
    graph?.edges.filter(({ from }) => from === issue.id).map(({ to }) => to) ?? [],
  );
  const dependents = (graph?.nodes ?? []).filter(
    ({ id, status }) => waiting.has(id) && isOpen(status),
  );
  const isDelete = name === "delete";
  const act = (force: boolean) =>
    mutate(
      { issue, command: isDelete ? { name } : { name: "close", force } },
      {
        onSuccess: () => {
          onClose();
          toast(isDelete ? "Issue deleted" : "Issue closed", issue.title);
          if (isDelete) void navigate({ to: "/work", search: { project: [issue.projectId] } });
        },
      },
    );
  return (
    <Dialog open onClose={onClose} title={isDelete ? "Delete the issue?" : "Close the issue?"}>
      {isDelete ? (
        <p>
          This permanently deletes the issue with its description, comments, timeline,{" "}
          {issue.links.length} {issue.links.length === 1 ? "link" : "links"} and {files}{" "}
          {files === 1 ? "attachment" : "attachments"}. An agent that works on it has to stop.
        </p>
      ) : (
        <p>
          Closed means that the work is not done and will not be done. An agent that works on it has
          to stop, and open questions are withdrawn. You can reopen it later.
        </p>
      )}
      {dependents.length === 0 ? null : (
        <>
          <p>
            {isDelete
              ? "These issues depend on it. Issues with no other open blocker become open:"
              : "These open issues depend on it. If you close it anyway, issues with no other open blocker become open, and agents start them although this work is not done:"}
          </p>
          <ul className={styles["dependents"]}>
            {dependents.map(({ id, status, title }) => (
              <li key={id}>
                <StatusIcon status={status} />
                <Link to="/issues/$issueId" params={{ issueId: id }} dir="auto">
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
      {error === null ? null : <ErrorNote error={error} />}
      <DialogFoot>
        <Button onClick={onClose}>Cancel</Button>
        {isDelete ? (
          <Button variant="danger" disabled={isPending} onClick={() => act(false)}>
            Delete permanently
          </Button>
        ) : dependents.length > 0 || error !== null ? (
          <Button variant="danger" disabled={isPending} onClick={() => act(true)}>
            Close anyway
          </Button>
        ) : (
          <Button variant="primary" disabled={isPending} onClick={() => act(false)}>
            Close the issue
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  );
};
