import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { BriefIssue } from "../data/issues/issues.ts";
import { sinceOf } from "../data/issues/lifecycle.ts";
import { AgentDot } from "../parts/AgentDot.tsx";
import { PriorityIcon } from "../parts/PriorityIcon.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { StatusIcon } from "../parts/StatusIcon.tsx";
import { Facts } from "./Facts.tsx";
import { pressedOn } from "./focus.ts";
import { Lost } from "./Lost.tsx";
import { MoreButton } from "./MoreButton.tsx";
import { useWork } from "./useWork.tsx";
import styles from "./Card.module.css";

export const Row = memo(({ issue }: { readonly issue: BriefIssue }) => {
  const { open, select, selected } = useWork();
  return (
    <article
      className={styles["row"]}
      data-issue={issue.id}
      data-selected={selected.has(issue.id)}
      tabIndex={0}
      aria-label={issue.title}
      onClick={(event) =>
        pressedOn(
          event,
          () => open(issue),
          () => select(issue),
        )
      }
    >
      <PriorityIcon priority={issue.priority} />
      <StatusIcon status={issue.status} />
      <Link
        to="/issues/$issueId"
        params={{ issueId: issue.id }}
        className={styles["title"] ?? ""}
        dir="auto"
        draggable={false}
        tabIndex={-1}
      >
        {issue.title}
      </Link>
      <div className={styles["side"]}>
        <span className={styles["rowFacts"]}>
          <Lost issue={issue} />
          <Facts issue={issue} />
        </span>
        <span className={`${styles["project"]} ${styles["wide"]}`}>{issue.projectId}</span>
        <span className={`${styles["agent"]} ${styles["wide"]}`}>
          {issue.assignedAgentId === null ? null : (
            <AgentDot
              id={issue.assignedAgentId}
              live={issue.liveRun !== null}
              runId={issue.liveRun?.runId}
            />
          )}
        </span>
        <RelativeTime iso={sinceOf(issue)} prefix="In this status since" />
      </div>
      <MoreButton issue={issue} />
    </article>
  );
});
Row.displayName = "Row";
