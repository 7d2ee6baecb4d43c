import { useNamedIssue } from "../data/issues/issues.ts";
import type { Run } from "../data/runs.ts";
import { IssueLink } from "../parts/IssueLink.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import styles from "./Now.module.css";

/** The issue of a run, or a note that it was deleted. */
export const RunIssue = ({ run: { issueId } }: { readonly run: Run }) => {
  const { data, isPending } = useNamedIssue(issueId);
  if (isPending) return <Skeleton width="60%" />;
  return data === undefined ? (
    <span className={styles["deleted"]} title={issueId}>
      Deleted issue
    </span>
  ) : (
    <IssueLink issue={data} />
  );
};
