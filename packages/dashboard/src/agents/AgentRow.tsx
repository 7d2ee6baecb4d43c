import { Link } from "@tanstack/react-router";
import { type Agent, useEndedRuns, useLiveRuns } from "../data/agents.ts";
import type { BriefIssue } from "../data/issues/issues.ts";
import { lengthOf } from "../data/runWords.ts";
import { Doing } from "../now/Doing.tsx";
import { LostRun } from "../now/LostRun.tsx";
import { Badge } from "../parts/Badge.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import { IssueLink } from "../parts/IssueLink.tsx";
import { LeaseRing } from "../parts/LeaseRing.tsx";
import { RelativeTime, useNow } from "../parts/RelativeTime.tsx";
import { ListRow } from "../parts/ScreenList.tsx";
import { RunSparkline } from "./RunSparkline.tsx";
import { StateDot } from "./StateDot.tsx";
import { type AgentState, stateOf } from "./states.ts";
import styles from "./Agents.module.css";

/** Says why the agent works on no issue. */
const idleText = ({ activeRuns, paused }: Agent, state: AgentState): string => {
  if (activeRuns > 0) {
    return state === "silent"
      ? "Silent: its run has not reported that it stopped"
      : "Its run is stopping";
  }
  if (paused) return "Paused: it gets no issues";
  return state === "silent" ? "Silent" : "Waiting for work";
};

/** An agent in the list, with its state, its current runs and the length of its queue. */
export const AgentRow = ({
  agent,
  issues,
  left,
  onPause,
  queue,
}: {
  readonly agent: Agent;
  readonly issues: ReadonlyArray<BriefIssue>;
  /** An issue in progress that no run holds. */
  readonly left: BriefIssue | undefined;
  /** The number of open issues; null until it is loaded. */
  readonly queue: string | null;
  /** Null if the user may not pause agents. */
  readonly onPause: (() => void) | null;
}) => {
  const now = useNow();
  const state = stateOf(agent, now);
  const [issue] = issues;
  const run = useLiveRuns(agent.id, issue !== undefined).data?.find(
    ({ id }) => id === issue?.liveRun?.runId,
  );
  const { data: ended } = useEndedRuns(agent.id);
  const others = Math.max(agent.activeRuns, issues.length) - 1;
  const idle = <span className={styles["idle"]}>{idleText(agent, state)}</span>;
  return (
    <ListRow className={styles["row"]} aria-label={agent.name}>
      <div className={styles["who"]}>
        <StateDot state={state} bare />
        <Link
          to="/agents/$agentId"
          params={{ agentId: agent.id }}
          data-item={agent.id}
          title={agent.id}
          dir="auto"
        >
          {agent.name}
        </Link>
      </div>
      <div className={styles["now"]} data-live={issue?.liveRun != null}>
        {issue?.liveRun == null ? (
          left === undefined ? (
            idle
          ) : (
            <LostRun issue={left} otherwise={idle} />
          )
        ) : (
          <>
            <LeaseRing
              expiresAt={issue.liveRun.leaseExpiresAt}
              renewedAt={agent.lastHeartbeatAt ?? agent.createdAt}
            />
            <span className={styles["doing"]}>
              <span className={styles["issue"]}>
                <IssueLink issue={issue} />
              </span>
              {run === undefined ? null : <Doing run={run} />}
            </span>
            {run === undefined ? null : (
              <Link
                className={styles["length"] ?? ""}
                to="/runs/$runId"
                params={{ runId: run.id }}
                title="Duration of the run"
              >
                {lengthOf(run.startedAt, now)}
              </Link>
            )}
            {others > 0 ? (
              <Badge
                text={`+${others}`}
                title={`Working on ${others + 1} issues at the same time`}
              />
            ) : null}
          </>
        )}
      </div>
      <span className={styles["runs"]}>
        <RunSparkline runs={ended ?? []} />
      </span>
      {queue === null || queue === "0" ? (
        <span />
      ) : (
        <Link
          className={styles["queue"] ?? ""}
          to="/work"
          search={{ assignee: [agent.id], status: ["Open"], view: "list" }}
          title={`Open issues assigned to ${agent.id}`}
        >
          {queue} queued
        </Link>
      )}
      <span className={styles["time"]}>
        {agent.lastHeartbeatAt === null ? (
          "never"
        ) : (
          <RelativeTime iso={agent.lastHeartbeatAt} prefix="Last heartbeat" />
        )}
      </span>
      {onPause === null ? null : (
        <IconButton
          icon={agent.paused ? "play" : "pause"}
          label={`${agent.paused ? "Resume" : "Pause"} ${agent.name}`}
          keys="shift+p"
          small
          tabIndex={-1}
          onClick={onPause}
        />
      )}
    </ListRow>
  );
};
