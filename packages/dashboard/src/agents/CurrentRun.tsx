import { Link } from "@tanstack/react-router";
import type { Agent } from "../data/agents.ts";
import { type Run, useRun } from "../data/runs.ts";
import { lengthOf, phaseOf, stateAt } from "../data/runWords.ts";
import { Doing } from "../now/Doing.tsx";
import { RunIssue } from "../now/RunIssue.tsx";
import { Badge } from "../parts/Badge.tsx";
import { LeaseRing } from "../parts/LeaseRing.tsx";
import { RelativeTime, useNow } from "../parts/RelativeTime.tsx";
import styles from "./AgentPage.module.css";

/** The estimated time of the last lease renewal: the agent's last heartbeat, or the start of the run. */
const renewedAt = (startedAt: string, { lastHeartbeatAt }: Agent) =>
  lastHeartbeatAt !== null && lastHeartbeatAt > startedAt ? lastHeartbeatAt : startedAt;

/** A run that holds its issue, with what it does now. */
export const CurrentRun = ({ agent, run: read }: { readonly agent: Agent; readonly run: Run }) => {
  const { data: run = read } = useRun(read.id, read);
  const now = useNow();
  const { text, tone, why } = stateAt(run, now);
  const isLive = phaseOf(run, now) === "live";
  return (
    <li className={styles["current"]} data-item>
      <LeaseRing
        size={28}
        expiresAt={run.leaseExpiresAt}
        renewedAt={renewedAt(run.startedAt, agent)}
      />
      <div className={styles["currentText"]}>
        <strong>
          <RunIssue run={run} />
        </strong>
        <Doing run={run} />
        <span className={styles["facts"]}>
          <Link to="/runs/$runId" params={{ runId: run.id }}>
            {isLive
              ? `Running for ${lengthOf(run.startedAt, now)}`
              : `Ran for ${lengthOf(run.startedAt, Date.parse(run.leaseExpiresAt))}`}
          </Link>
          <span>Attempt {run.attempt}</span>
          {isLive ? (
            <span>
              Lease ends <RelativeTime iso={run.leaseExpiresAt} prefix="Lease expires" />
            </span>
          ) : null}
        </span>
      </div>
      {run.status === "stopping" || !isLive ? (
        <Badge
          text={why === null ? text : `${text}: ${why}`}
          {...(tone === undefined ? {} : { tone })}
        />
      ) : null}
    </li>
  );
};
