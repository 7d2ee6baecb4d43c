import { Link } from "@tanstack/react-router";
import { useCalls } from "../data/agents.ts";
import { useMay } from "../data/live/session.ts";
import { callName, callTone, millis } from "../data/runWords.ts";
import { Badge } from "../parts/Badge.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { ShowMore } from "../parts/ShowMore.tsx";
import { Section } from "./Section.tsx";
import styles from "./AgentPage.module.css";

/** The agent's tool calls, newest first. Requires the Admin role. */
export const Calls = ({ agentId }: { readonly agentId: string }) => {
  const isAdmin = useMay("Admin");
  const calls = useCalls(agentId);
  const { data, error, isPending } = calls;
  if (!isAdmin) return null;
  return (
    <Section
      title="Tool calls"
      error={error}
      isPending={isPending}
      empty={(data ?? []).length > 0 ? null : "This agent has not called a tool yet."}
    >
      <ul>
        {data?.map(({ durationMs, error: reason, id, outcome, runId, server, startedAt, tool }) => (
          <li key={id} className={styles["item"]} data-call>
            <span className={styles["end"]}>
              <Badge text={callName(outcome)} {...callTone(outcome)} />
            </span>
            <code className={styles["called"]} title={`${server}/${tool}`}>
              {runId === null ? (
                `${server}/${tool}`
              ) : (
                <Link to="/runs/$runId" params={{ runId }} title="Open the run">
                  {`${server}/${tool}`}
                </Link>
              )}
            </code>
            <span className={styles["reason"]} title={reason ?? undefined} dir="auto">
              {reason}
            </span>
            <span className={styles["figure"]}>
              {durationMs === null ? "" : millis(durationMs)}
            </span>
            <span className={styles["when"]}>
              <RelativeTime iso={startedAt} prefix="Started" />
            </span>
          </li>
        ))}
      </ul>
      <ShowMore list={calls} text="Show more calls" />
    </Section>
  );
};
