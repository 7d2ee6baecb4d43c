import { type Agent, useAgentRuns, useAgentWork } from "../data/agents.ts";
import { phaseOf } from "../data/runWords.ts";
import { LostRun } from "../now/LostRun.tsx";
import { useNow } from "../parts/RelativeTime.tsx";
import { CurrentRun } from "./CurrentRun.tsx";
import { Section } from "./Section.tsx";
import styles from "./AgentPage.module.css";

/** The agent's live runs, those whose lease expired while it held their issues, and issues that a dead run left. */
export const CurrentRuns = ({ agent }: { readonly agent: Agent }) => {
  const { data, error, isPending } = useAgentRuns(agent.id);
  const left = useAgentWork().data?.left.get(agent.id) ?? [];
  const now = useNow();
  const runs = (data ?? []).filter((run) => phaseOf(run, now) !== "over");
  const held = new Set(runs.map(({ issueId }) => issueId));
  const lost = left.filter(({ id }) => !held.has(id));
  return (
    <Section
      title="Now"
      error={error}
      isPending={isPending}
      empty={
        runs.length + lost.length > 0
          ? null
          : "No live run. The next heartbeat starts issues from its queue that are ready."
      }
    >
      <ul className={styles["runs"]}>
        {runs.map((run) => (
          <CurrentRun key={run.id} agent={agent} run={run} />
        ))}
        {lost.map((issue) => (
          <li key={issue.id} className={styles["current"]} data-item>
            <LostRun issue={issue} />
          </li>
        ))}
      </ul>
    </Section>
  );
};
