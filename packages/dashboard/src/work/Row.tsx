import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { BriefIssue } from "../data/issues/issues.ts";
import { sinceOf } from "../data/issues/lifecycle.ts";
import { useName } from "../data/live/names.ts";
import { AgentDot } from "../parts/AgentDot.tsx";
import { Marked, unmarked } from "../parts/Marked.tsx";
import { PriorityIcon } from "../parts/PriorityIcon.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { StatusIcon } from "../parts/StatusIcon.tsx";
import { Facts } from "./Facts.tsx";
import { pressedOn } from "./focus.ts";
import { Lost } from "./Lost.tsx";
import { MoreButton } from "./MoreButton.tsx";
import { useColumns } from "./useColumns.ts";
import { useWork } from "./useWork.tsx";
import styles from "./Card.module.css";

const Person = ({ id }: { readonly id: string }) => <>{useName(id).name}</>;

export const Row = memo(({ issue }: { readonly issue: BriefIssue }) => {
  const { open, select, selected } = useWork();
  const has = useColumns();
  const { snippet = null } = issue;
  const isTitle = snippet !== null && unmarked(snippet) === issue.title;
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
      {has("key") ? (
        <span className={styles["key"]} title={issue.projectId}>
          {issue.key}
        </span>
      ) : null}
      <Link
        to="/issues/$issueId"
        params={{ issueId: issue.key }}
        className={styles["title"] ?? ""}
        dir="auto"
        draggable={false}
        tabIndex={-1}
      >
        {isTitle ? <Marked text={snippet} /> : issue.title}
      </Link>
      {snippet === null || isTitle ? null : (
        <span className={styles["snippet"]} dir="auto">
          <Marked text={snippet} />
        </span>
      )}
      <div className={styles["side"]}>
        <span className={styles["rowFacts"]}>
          <Lost issue={issue} />
          {has("facts") ? <Facts issue={issue} /> : null}
        </span>
        {has("person") ? (
          <span className={`${styles["agent"]} ${styles["wide"]}`}>
            {issue.assigneeUserId === null ? null : <Person id={issue.assigneeUserId} />}
          </span>
        ) : null}
        {has("agent") ? (
          <span className={`${styles["agent"]} ${styles["wide"]}`}>
            {issue.assignedAgentId === null ? null : (
              <AgentDot
                id={issue.assignedAgentId}
                live={issue.liveRun !== null}
                runId={issue.liveRun?.runId}
              />
            )}
          </span>
        ) : null}
        {has("created") ? <RelativeTime iso={issue.createdAt} prefix="Created" /> : null}
        {has("updated") ? <RelativeTime iso={issue.updatedAt} prefix="Last change" /> : null}
        {has("since") ? <RelativeTime iso={sinceOf(issue)} prefix="In this status since" /> : null}
      </div>
      <MoreButton issue={issue} />
    </article>
  );
});
Row.displayName = "Row";
