import { Link } from "@tanstack/react-router";
import { useAgentRuns } from "../data/agents.ts";
import { lengthOf, phaseOf, stateAt } from "../data/runWords.ts";
import { RunIssue } from "../now/RunIssue.tsx";
import { Badge } from "../parts/Badge.tsx";
import { RelativeTime, useNow } from "../parts/RelativeTime.tsx";
import { ShowMore } from "../parts/ShowMore.tsx";
import { Section } from "./Section.tsx";
import styles from "./AgentPage.module.css";

/** The agent's runs, newest first, with their outcomes. */
export const Runs = ({ agentId }: { readonly agentId: string }) => {
  const list = useAgentRuns(agentId);
  const { data, error, isPending } = list;
  const now = useNow();
  const runs = (data ?? []).filter((run) => phaseOf(run, now) === "over");
  return (
    <Section
      title="Recent runs"
      error={error}
      isPending={isPending}
      empty={runs.length > 0 ? null : "No finished runs yet."}
    >
      <ul>
        {runs.map((run) => {
          const { text, tone, why } = stateAt(run, now);
          return (
            <li key={run.id} className={styles["item"]} data-item>
              <Link className={styles["end"] ?? ""} to="/runs/$runId" params={{ runId: run.id }}>
                <Badge text={text} {...(tone === undefined ? {} : { tone })} />
              </Link>
              <span className={styles["grow"]}>
                <RunIssue run={run} />
              </span>
              <span className={styles["why"]}>
                {[why, run.attempt > 1 ? `attempt ${run.attempt}` : null]
                  .filter(Boolean)
                  .join(", ")}
              </span>
              <span className={styles["figure"]} title="Duration of the run">
                {lengthOf(run.startedAt, Date.parse(run.endedAt ?? run.leaseExpiresAt))}
              </span>
              <span className={styles["when"]}>
                <RelativeTime iso={run.startedAt} prefix="Started" />
              </span>
            </li>
          );
        })}
      </ul>
      <ShowMore list={list} text="Show more runs" />
    </Section>
  );
};
