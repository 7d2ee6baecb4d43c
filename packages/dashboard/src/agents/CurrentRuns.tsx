import { Link } from "@tanstack/react-router";
import { type Agent, useAgentRuns } from "../data/agents.ts";
import { lengthOf, phaseOf, stateAt } from "../data/runWords.ts";
import { Badge } from "../parts/Badge.tsx";
import { LeaseRing } from "../parts/LeaseRing.tsx";
import { RelativeTime, useNow } from "../parts/RelativeTime.tsx";
import { LastLine } from "./LastLine.tsx";
import { RunIssue } from "./RunIssue.tsx";
import { Section } from "./Section.tsx";
import styles from "./AgentPage.module.css";

/** The estimated time of the last lease renewal: the agent's last heartbeat, or the start of the run. */
const renewedAt = (startedAt: string, { lastHeartbeatAt }: Agent) =>
  lastHeartbeatAt !== null && lastHeartbeatAt > startedAt ? lastHeartbeatAt : startedAt;

/** The agent's live runs, and those whose lease expired while it held their issues. */
export const CurrentRuns = ({ agent }: { readonly agent: Agent }) => {
  const { data, error, isPending } = useAgentRuns(agent.id);
  const now = useNow();
  const runs = (data ?? []).filter((run) => phaseOf(run, now) !== "over");
  return (
    <Section
      title="Now"
      error={error}
      isPending={isPending}
      empty={
        runs.length > 0
          ? null
          : "No live run. The next heartbeat starts issues from its queue that are ready."
      }
    >
      <ul className={styles["runs"]}>
        {runs.map((run) => {
          const { text, tone, why } = stateAt(run, now);
          const isLive = phaseOf(run, now) === "live";
          return (
            <li key={run.id} className={styles["current"]} data-item>
              <LeaseRing
                size={28}
                expiresAt={run.leaseExpiresAt}
                renewedAt={renewedAt(run.startedAt, agent)}
              />
              <div className={styles["currentText"]}>
                <strong>
                  <RunIssue run={run} />
                </strong>
                {run.note === null ? null : <span dir="auto">{run.note}</span>}
                {run.logBytes === 0 ? null : <LastLine run={run} />}
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
        })}
      </ul>
    </Section>
  );
};
