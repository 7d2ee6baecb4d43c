import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Agent, useQueue } from "../data/agents.ts";
import type { BriefIssue } from "../data/issues/issues.ts";
import { useProjectNames } from "../data/issues/projects.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { IssueLink } from "../parts/IssueLink.tsx";
import { PriorityIcon } from "../parts/PriorityIcon.tsx";
import { ago, useNow } from "../parts/RelativeTime.tsx";
import { Section } from "./Section.tsx";
import styles from "./AgentPage.module.css";

/** The reasons why the next heartbeat does not start the issue, as far as its brief row shows them. */
const obstacles = (
  { blockedByCount, notBefore, openQuestions, paused }: BriefIssue,
  now: number,
): ReadonlyArray<string> => [
  ...(paused ? ["Paused"] : []),
  ...(blockedByCount > 0 ? [`Blocked by ${blockedByCount}`] : []),
  ...(notBefore !== null && Date.parse(notBefore) > now ? [`Starts ${ago(notBefore, now)}`] : []),
  ...(openQuestions > 0 ? ["Open question"] : []),
];

/** The number of issues shown before the user expands the list, so that the sections below stay in view. */
const first = 8;

/** The issues assigned to the agent and not yet started, by priority. */
export const Queue = ({ agent }: { readonly agent: Agent }) => {
  const { data, error, isPending } = useQueue(agent.id);
  const now = useNow();
  const projectName = useProjectNames();
  const [isWhole, setWhole] = useState(false);
  const items = data?.items ?? [];
  const isMore = data !== undefined && data.next !== null;
  return (
    <Section
      title="Queue"
      count={items.length === 0 ? null : `${items.length}${isMore ? "+" : ""}`}
      error={error}
      isPending={isPending}
      empty={items.length > 0 ? null : "No open issues are assigned to this agent."}
    >
      <ul>
        {(isWhole ? items : items.slice(0, first)).map((issue) => (
          <li key={issue.id} className={styles["item"]} data-item>
            <PriorityIcon priority={issue.priority} />
            <span className={styles["grow"]}>
              <IssueLink issue={issue} />
            </span>
            {obstacles(issue, now).map((text) => (
              <Badge key={text} text={text} tone="warning" />
            ))}
            <span className={styles["project"]}>{projectName(issue.projectId)}</span>
          </li>
        ))}
      </ul>
      {isWhole || items.length <= first ? null : (
        <Button small variant="quiet" onClick={() => setWhole(true)}>
          Show {items.length - first} more
        </Button>
      )}
      {isMore && (isWhole || items.length <= first) ? (
        <Link
          className={styles["more"] ?? ""}
          to="/work"
          search={{ assignee: [agent.id], view: "list" }}
        >
          Show all issues
        </Link>
      ) : null}
    </Section>
  );
};
