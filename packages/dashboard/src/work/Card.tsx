import { Link } from "@tanstack/react-router";
import { memo, useEffect, useRef, useState } from "react";
import type { BriefIssue } from "../data/issues/issues.ts";
import { sinceOf } from "../data/issues/lifecycle.ts";
import { AgentDot } from "../parts/AgentDot.tsx";
import { PriorityIcon } from "../parts/PriorityIcon.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { withDrag } from "./drag.ts";
import { Facts } from "./Facts.tsx";
import { pressedOn } from "./focus.ts";
import { Lost } from "./Lost.tsx";
import { MoreButton } from "./MoreButton.tsx";
import { useWork } from "./useWork.tsx";
import styles from "./Card.module.css";

export const Card = memo(({ issue }: { readonly issue: BriefIssue }) => {
  const { canEdit, open, select, selected } = useWork();
  const element = useRef<HTMLElement>(null);
  const [isDragging, setDragging] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (current === null || !canEdit) return undefined;
    return withDrag(({ draggable }) =>
      draggable({
        element: current,
        getInitialData: () => ({ issueId: issue.id }),
        onDragStart: () => setDragging(true),
        onDrop: () => setDragging(false),
      }),
    );
  }, [issue.id, canEdit]);
  return (
    <article
      ref={element}
      className={styles["card"]}
      data-issue={issue.id}
      data-selected={selected.has(issue.id)}
      data-dragging={isDragging}
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
      <div className={styles["top"]}>
        <PriorityIcon priority={issue.priority} />
        <Link
          to="/issues/$issueId"
          params={{ issueId: issue.key }}
          className={styles["title"] ?? ""}
          dir="auto"
          draggable={false}
          tabIndex={-1}
        >
          {issue.title}
        </Link>
        <MoreButton issue={issue} />
      </div>
      <div className={styles["facts"]}>
        <Facts issue={issue} />
      </div>
      <Lost issue={issue} />
      <div className={styles["foot"]}>
        <span className={styles["project"]} title={issue.projectId}>
          {issue.key}
        </span>
        {issue.assignedAgentId === null ? null : (
          <AgentDot
            id={issue.assignedAgentId}
            live={issue.liveRun !== null}
            runId={issue.liveRun?.runId}
          />
        )}
        <RelativeTime iso={sinceOf(issue)} prefix="In this status since" />
      </div>
    </article>
  );
});
Card.displayName = "Card";
