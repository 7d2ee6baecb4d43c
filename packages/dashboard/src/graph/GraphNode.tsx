import { Link } from "@tanstack/react-router";
import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import type { Dependency } from "../data/issues/dependencies.ts";
import { AgentDot } from "../parts/AgentDot.tsx";
import { classes } from "../parts/classes.ts";
import { StatusIcon, statusName } from "../parts/StatusIcon.tsx";
import styles from "./GraphNode.module.css";

export type IssueNode = Node<{ readonly item: Dependency; readonly isFound: boolean }, "issue">;

export const GraphNode = memo(({ data: { isFound, item }, height = 46 }: NodeProps<IssueNode>) => {
  const { isCritical, issue, waiting } = item;
  const hasWord = issue.assignedAgentId === null;
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <Link
        to="/issues/$issueId"
        params={{ issueId: issue.key }}
        className={classes(styles["node"], isCritical && styles["critical"])}
        data-status={issue.status}
        data-id={issue.id}
        data-found={isFound}
        draggable={false}
        title={`${issue.key} ${issue.title} (${statusName(issue.status)})`}
      >
        <span className={styles["line"]}>
          <StatusIcon status={issue.status} size={height > 70 ? 18 : 14} labelled={hasWord} />
          <span
            className={classes(styles["title"], height > 70 && styles["large"])}
            style={{ WebkitLineClamp: height > 64 ? 2 : 1 }}
            dir="auto"
          >
            {issue.title}
          </span>
        </span>
        <span className={styles["facts"]}>
          <span className={styles["key"]}>{issue.key}</span>
          {waiting === 0 ? null : <b>blocks {waiting}</b>}
          {hasWord || issue.assignedAgentId === null ? (
            <span>{statusName(issue.status)}</span>
          ) : (
            <AgentDot id={issue.assignedAgentId} live={issue.liveRun !== null} />
          )}
        </span>
      </Link>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  );
});
GraphNode.displayName = "GraphNode";
