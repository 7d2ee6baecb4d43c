import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { isGone, useIssue } from "../data/issues/issue.ts";
import { useRecents } from "../data/recent.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { IssueView } from "./IssueView.tsx";
import styles from "./Issue.module.css";

const route = getRouteApi("/issues/$issueId");

/** The page of one issue: loads it and shows the view, a placeholder or the error. */
export const IssuePage = () => {
  const { issueId } = route.useParams();
  const { data, error } = useIssue(issueId);
  const { forget } = useRecents();
  useEffect(() => {
    if (data === undefined && isGone(error)) forget({ kind: "issue", id: issueId });
  }, [data, error, forget, issueId]);
  if (data !== undefined) return <IssueView key={issueId} issue={data} error={error} />;
  return (
    <div className={styles["state"]}>
      {error === null ? (
        <>
          <Skeleton width="60%" height={26} />
          <Skeleton />
          <Skeleton width="80%" />
          <Skeleton height={90} />
        </>
      ) : (
        <>
          <h1>Issue</h1>
          <ErrorNote error={error} />
          <Link to="/work" className={styles["link"]}>
            All issues
          </Link>
        </>
      )}
    </div>
  );
};
