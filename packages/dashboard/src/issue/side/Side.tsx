import type { ReactNode } from "react";
import { timeOf } from "../../data/issues/activityWords.ts";
import type { Issue } from "../../data/issues/issue.ts";
import type { IssueLink } from "../../data/issues/links.ts";
import { useProjectNames } from "../../data/issues/projects.ts";
import { useIssueUsage } from "../../data/usage.ts";
import { AgentDot } from "../../parts/AgentDot.tsx";
import { Badge } from "../../parts/Badge.tsx";
import { PriorityIcon, priorityName } from "../../parts/PriorityIcon.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { StatusIcon, statusName } from "../../parts/StatusIcon.tsx";
import { costOf, tokensOf } from "../../parts/usageWords.ts";
import { PersonAvatar } from "../common/PersonAvatar.tsx";
import type { PropertyName } from "../common/properties.ts";
import { Who } from "../common/Who.tsx";
import { Links } from "./Links.tsx";
import { Property } from "./Property.tsx";
import { Readiness } from "./Readiness.tsx";
import styles from "./Side.module.css";

const Fact = ({ children, label }: { readonly label: string; readonly children: ReactNode }) => (
  <div className={styles["fact"]}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

/** The sidebar: properties, readiness and links. */
export const Side = ({
  isLive,
  issue,
  onLink,
  onProperty,
}: {
  readonly issue: Issue;
  readonly isLive: boolean;
  /** Null if the user may not edit properties. */
  readonly onProperty: ((name: PropertyName) => void) | null;
  readonly onLink: ((type: IssueLink["linkType"]) => void) | null;
}) => {
  const usage = useIssueUsage(issue.id).data;
  const projectName = useProjectNames();
  const { assignedAgentId, assigneeUserId, labels, notBefore } = issue;
  return (
    <aside className={styles["side"]} aria-label="Properties">
      <Readiness issue={issue} />
      <div className={styles["properties"]}>
        <Property name="status" label="Status" keys="s" onOpen={onProperty}>
          <StatusIcon status={issue.status} labelled />
          <span>{statusName(issue.status)}</span>
          {issue.paused ? <Badge icon="pause" tone="warning" text="Paused" /> : null}
        </Property>
        <Property name="priority" label="Priority" keys="p" onOpen={onProperty}>
          <PriorityIcon priority={issue.priority} labelled />
          <span>{priorityName(issue.priority)}</span>
        </Property>
        <Property name="agent" label="Agent" keys="i" onOpen={onProperty}>
          {assignedAgentId === null ? (
            <span className={styles["unset"]}>None</span>
          ) : (
            <AgentDot id={assignedAgentId} live={isLive} />
          )}
        </Property>
        <Property name="person" label="Person" keys="shift+i" onOpen={onProperty}>
          {assigneeUserId === null ? (
            <span className={styles["unset"]}>None</span>
          ) : (
            <>
              <PersonAvatar id={assigneeUserId} size={16} />
              <span className={styles["person"]}>
                <Who id={assigneeUserId} />
              </span>
            </>
          )}
        </Property>
        <Property name="labels" label="Labels" keys="l" onOpen={onProperty}>
          {labels.length === 0 ? (
            <span className={styles["unset"]}>None</span>
          ) : (
            <span className={styles["labels"]}>
              {labels.map((label) => (
                <Badge key={label} text={label} title={label} />
              ))}
            </span>
          )}
        </Property>
        <Property name="defer" label="Deferred until" keys="d" onOpen={onProperty}>
          {notBefore === null ? (
            <span className={styles["unset"]}>Not deferred</span>
          ) : (
            <span>{timeOf(notBefore)}</span>
          )}
        </Property>
      </div>
      <Links issue={issue} onAdd={onLink} />
      <dl className={styles["facts"]}>
        <Fact label="Project">
          <bdi>{projectName(issue.projectId)}</bdi>
        </Fact>
        {issue.goalId === null ? null : <Fact label="Goal">{issue.goalId}</Fact>}
        {issue.externalRef === null ? null : <Fact label="Reference">{issue.externalRef}</Fact>}
        {Object.entries(issue.metadata).map(([key, value]) => (
          <Fact key={key} label={key}>
            {value}
          </Fact>
        ))}
        {usage === undefined || usage.requests === 0 ? null : (
          <>
            <Fact label="Tokens">{tokensOf(usage)}</Fact>
            {costOf(usage) === null ? null : <Fact label="Cost">{costOf(usage)}</Fact>}
          </>
        )}
        {issue.attempts === 0 ? null : <Fact label="Failed runs">{issue.attempts}</Fact>}
        <Fact label="Created">
          <RelativeTime iso={issue.createdAt} /> by <Who id={issue.createdBy.id} isInside />
        </Fact>
        <Fact label="Updated">
          <RelativeTime iso={issue.updatedAt} />
        </Fact>
      </dl>
    </aside>
  );
};
