import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { type Readiness, useReasons } from "../data/issues/issue.ts";
import { useProjectNames } from "../data/issues/projects.ts";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { firstSentence } from "./Detail.tsx";
import { pathOf } from "./places.ts";
import styles from "./Item.module.css";

/** The reason why no agent picks up the root. */
const Reason = ({
  item: { agentId, projectId },
  reason: { code, data, detail },
}: {
  readonly item: InboxItem;
  readonly reason: Readiness["reasons"][number];
}) => {
  const projectName = useProjectNames();
  switch (code) {
    case "unassigned":
      return "No agent is assigned.";
    case "paused":
      return "It is paused.";
    case "notBefore":
      return (
        <>
          It is deferred, and starts <RelativeTime iso={String(data?.["notBefore"])} />.
        </>
      );
    case "agentPaused":
      return `Its agent ${agentId} is paused.`;
    case "projectPaused":
      return projectId === null ? detail : `Its project ${projectName(projectId)} is paused.`;
    case "awaitingAnswer":
      return "A question waits for an answer.";
    case "agentSilent":
      return `Its agent ${agentId} is silent.`;
    default:
      return detail;
  }
};

/** The root of a blocked chain, with the reasons why it is stuck. */
export const Chain = ({
  issueId,
  item,
}: {
  readonly item: InboxItem;
  readonly issueId: string;
}) => {
  const reasons = useReasons(issueId, true).data ?? [];
  return (
    <>
      <p className={styles["detail"]}>
        {firstSentence(item.detail)}
        {reasons.map((reason) => (
          <Fragment key={reason.code}>
            {" "}
            <Reason item={item} reason={reason} />
          </Fragment>
        ))}
      </p>
      <p className={styles["detail"]}>
        Root of the chain:{" "}
        <Link className={styles["link"]} to={pathOf(item) ?? "/inbox"}>
          <bdi>{item.title}</bdi>
        </Link>
        {" · "}
        <Link className={styles["link"]} to="/graph" search={{ issue: issueId }}>
          Show the chain
        </Link>
      </p>
    </>
  );
};
