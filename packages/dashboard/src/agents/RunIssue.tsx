import type { Run } from "../data/agents.ts";
import { useNamedIssue } from "../data/issues/issues.ts";
import { IssueLink } from "../parts/IssueLink.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import styles from "./AgentPage.module.css";

export const RunIssue = ({ run: { issueId } }: { readonly run: Run }) => {
  const { data, isPending } = useNamedIssue(issueId);
  if (isPending) return <Skeleton width="60%" />;
  return data === undefined ? (
    <span className={styles["faint"]} title={issueId}>
      Deleted issue
    </span>
  ) : (
    <IssueLink issue={data} />
  );
};
