import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { BriefIssue } from "../data/issues/issues.ts";
import { useLostRun } from "../data/lostRun.ts";
import { lostText } from "../data/runWords.ts";
import { IssueLink } from "../parts/IssueLink.tsx";
import { useNow } from "../parts/RelativeTime.tsx";
import styles from "./Now.module.css";

/** An issue whose last run lost its lease, with a link to that run. */
export const LostRun = ({
  issue,
  otherwise = null,
}: {
  readonly issue: BriefIssue;
  /** Shown if the run did not lose its lease. */
  readonly otherwise?: ReactNode;
}) => {
  const lost = useLostRun(issue);
  const now = useNow();
  if (lost === null) return otherwise;
  return (
    <div className={styles["lostRun"]}>
      <IssueLink issue={issue} />
      <Link className={styles["lost"] ?? ""} to="/runs/$runId" params={{ runId: lost.runId }}>
        {lostText(lost.at, now)}
      </Link>
    </div>
  );
};
