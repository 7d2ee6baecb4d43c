import { getRouteApi } from "@tanstack/react-router";
import { useEffect } from "react";
import { isGone, useIssue, useIssueId } from "../data/issues/issue.ts";
import { useRecents } from "../data/recent.ts";
import { ButtonLink } from "../parts/ButtonLink.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { useTitle } from "../parts/title.ts";
import { IssueView } from "./IssueView.tsx";
import styles from "./Issue.module.css";

const route = getRouteApi("/issues/$issueId");

/** The page of the address: finds the issue of its id or key. */
export const IssuePage = () => {
  const { data, error } = useIssueId(route.useParams().issueId);
  return data === undefined ? <NoIssue error={error} /> : <OneIssue issueId={data} />;
};

/** Loads an issue and shows the view, a placeholder or the error. */
const OneIssue = ({ issueId }: { readonly issueId: string }) => {
  const { data, error } = useIssue(issueId);
  const { forget } = useRecents();
  useEffect(() => {
    if (data === undefined && isGone(error)) forget({ kind: "issue", id: issueId });
  }, [data, error, forget, issueId]);
  return data === undefined ? (
    <NoIssue error={error} />
  ) : (
    <IssueView key={issueId} issue={data} error={error} />
  );
};

const NoIssue = ({ error }: { readonly error: Error | null }) => {
  const { issueId } = route.useParams();
  const isMissing = isGone(error);
  useTitle(isMissing ? "Issue not found" : "Issue");
  if (isMissing) {
    return (
      <EmptyState
        heading="h1"
        icon="search"
        title={
          issueId.startsWith("iss_") ? "No issue has this id" : `No issue has the key ${issueId}`
        }
        text="It was deleted, or you may not see it. Check the key, or find the issue by its title."
        action={<ButtonLink to="/work">All issues</ButtonLink>}
      />
    );
  }
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
        </>
      )}
    </div>
  );
};
