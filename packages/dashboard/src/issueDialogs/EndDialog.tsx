import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type Issue, useIssue } from "../data/issues/issue.ts";
import { type BriefIssue, useCloseIssue, useDeleteIssue } from "../data/issues/issues.ts";
import { useNeighbors } from "../data/issues/links.ts";
import { useAttachments } from "../data/issues/upload.ts";
import { Confirm } from "../parts/Confirm.tsx";
import { StatusIcon } from "../parts/StatusIcon.tsx";
import { useToasts } from "../parts/toast.ts";
import styles from "./EndDialog.module.css";

const isOpen = ({ status }: BriefIssue) => status !== "Resolved" && status !== "Closed";

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** The brief issue, and the open issues that it blocks. */
const useBlocked = (id: string) => {
  const graph = useNeighbors(id).data;
  const ids = new Set(graph?.edges.flatMap(({ from, to }) => (from === id ? [to] : [])));
  return {
    node: graph?.nodes.find((node) => node.id === id),
    blocked: (graph?.nodes ?? []).filter((node) => ids.has(node.id) && isOpen(node)),
  };
};

/** The effects on a running agent and on people with open questions. */
const Interrupted = ({ node }: { readonly node: BriefIssue | undefined }) => (
  <>
    {node?.liveRun == null ? null : (
      <p dir="auto">{node.liveRun.agentId} works on it and stops at its next turn.</p>
    )}
    {node === undefined || node.openQuestions === 0 ? null : (
      <p>
        {count(node.openQuestions, "open question")} {node.openQuestions === 1 ? "is" : "are"}{" "}
        withdrawn without an answer.
      </p>
    )}
  </>
);

const Blocked = ({
  children,
  issues,
}: {
  readonly issues: ReadonlyArray<BriefIssue>;
  readonly children: ReactNode;
}) =>
  issues.length === 0 ? null : (
    <>
      <p>{children}</p>
      <ul className={styles["blocked"]}>
        {issues.map(({ id, status, title }) => (
          <li key={id}>
            <StatusIcon status={status} />
            <Link to="/issues/$issueId" params={{ issueId: id }} dir="auto">
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );

/** The issue to close or delete. `links` is missing until the whole issue is loaded. */
type EndedIssue = Pick<Issue, "id" | "title" | "version"> & Partial<Pick<Issue, "links">>;

const CloseDialog = ({
  issue,
  onClose,
}: {
  readonly issue: EndedIssue;
  readonly onClose: () => void;
}) => {
  const { mutate } = useCloseIssue();
  const { blocked, node } = useBlocked(issue.id);
  const isForced = blocked.length > 0;
  const close = () => {
    mutate({ issue, command: { name: "close", force: isForced } });
    onClose();
  };
  return (
    <Confirm
      title="Close the issue?"
      action={isForced ? "Close anyway" : "Close the issue"}
      variant={isForced ? "danger" : "primary"}
      onConfirm={close}
      onClose={onClose}
    >
      <p className={styles["subject"]} dir="auto">
        {issue.title}
      </p>
      <p>
        Closed means that the work is not done and will not be done. You can reopen the issue later.
      </p>
      <Interrupted node={node} />
      <Blocked issues={blocked}>
        These open issues depend on it. If you close it anyway, issues with no other open blocker
        become open, and agents start them although this work is not done:
      </Blocked>
    </Confirm>
  );
};

const DeleteDialog = ({
  issue,
  onClose,
  onDeleted,
}: {
  readonly issue: EndedIssue;
  readonly onClose: () => void;
  readonly onDeleted: (() => void) | undefined;
}) => {
  const { toast } = useToasts();
  const request = useDeleteIssue();
  const { blocked, node } = useBlocked(issue.id);
  const { links } = issue;
  const files = useAttachments(issue.id).data;
  const remove = () =>
    request.mutate(
      { issue, command: { name: "delete" } },
      {
        onSuccess: () => {
          onClose();
          toast("Issue deleted", issue.title);
          onDeleted?.();
        },
      },
    );
  return (
    <Confirm
      title="Delete the issue?"
      action="Delete permanently"
      request={request}
      onConfirm={remove}
      onClose={onClose}
    >
      <p className={styles["subject"]} dir="auto">
        {issue.title}
      </p>
      <p>
        This permanently deletes the issue with its description, comments, timeline,{" "}
        {links === undefined ? "links" : count(links.length, "link")} and{" "}
        {files === undefined ? "attachments" : count(files.length, "attachment")}.
      </p>
      <Interrupted node={node} />
      <Blocked issues={blocked}>
        These issues depend on it. Issues with no other open blocker become open:
      </Blocked>
    </Confirm>
  );
};

/** The confirmation of closing or deleting an issue, with its effects. */
export const EndDialog = ({
  issue: known,
  name,
  onClose,
  onDeleted,
}: {
  readonly issue: EndedIssue;
  readonly name: "close" | "delete";
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}) => {
  const issue = useIssue(known.id).data ?? known;
  return name === "close" ? (
    <CloseDialog issue={issue} onClose={onClose} />
  ) : (
    <DeleteDialog issue={issue} onClose={onClose} onDeleted={onDeleted} />
  );
};
