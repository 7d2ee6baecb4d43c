import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type AgentStatistics, type Statistics, useAgentStats } from "../data/stats.ts";
import { type GroupUsage, useUsageByAgent } from "../data/usage.ts";
import { classes } from "../parts/classes.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { costOf, tokensOf } from "../parts/usageWords.ts";
import { Panel } from "./Panel.tsx";
import { count, duration, windowNames } from "./words.ts";
import styles from "./Overview.module.css";

type Numbers = AgentStatistics["current"];

const failures = ({ expired, failed }: Numbers): number => failed + expired;

const reviews = ({ accepted, returned }: Numbers): string =>
  accepted + returned === 0 ? "–" : `${count(accepted)} of ${count(accepted + returned)}`;

const usageOf = (usage: GroupUsage | undefined): string =>
  usage === undefined || usage.requests === 0 ? "–" : (costOf(usage) ?? tokensOf(usage));

/** A number, with the number of the time before below it. */
const Cell = ({
  before,
  bad = false,
  now,
}: {
  readonly now: ReactNode;
  readonly before: string;
  readonly bad?: boolean;
}) => (
  <td className={bad ? styles["bad"] : undefined}>
    {now}
    <small className={styles["before"]}>
      <span className={styles["unseen"]}>before: </span>
      {before}
    </small>
  </td>
);

const isBusy = ({ current, previous }: AgentStatistics): boolean =>
  [current, previous].some((one) => one.started + one.accepted + one.returned + failures(one) > 0);

/** The runs, reviews, failures, usage and median time of each agent, beside the time before. */
export const ByAgent = ({
  project,
  stats: { from, to, window },
}: {
  readonly stats: Statistics;
  readonly project: string | undefined;
}) => {
  const { data, error } = useAgentStats(window, project);
  const usage = useUsageByAgent({ from, to }, project).data;
  const agents = (data ?? [])
    .filter(isBusy)
    .toSorted((a, b) => b.current.started - a.current.started);
  return (
    <Panel
      title="Agents"
      wide
      side={<span className={styles["side"]}>Below each: the {windowNames[window]} before</span>}
    >
      <ErrorNote error={error} />
      {agents.length === 0 ? (
        <p className={styles["none"]}>No agent has worked in this time.</p>
      ) : (
        <table className={classes(styles["table"], styles["agents"])}>
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col">Runs</th>
              <th scope="col" title="Reviews that ended as resolved">
                Accepted
              </th>
              <th scope="col" title="Runs that failed or lost their lease">
                Failed
              </th>
              <th scope="col" title="Median time from the start of a run to its hand-in">
                Median
              </th>
              <th scope="col">Usage</th>
            </tr>
          </thead>
          <tbody>
            {agents.map(({ agentId, current, previous }) => (
              <tr key={agentId}>
                <th scope="row" title={agentId}>
                  <Link to="/agents/$agentId" params={{ agentId }}>
                    {agentId}
                  </Link>
                </th>
                <Cell
                  now={
                    <Link to="/runs" search={{ project, agent: agentId, from }}>
                      {count(current.started)}
                    </Link>
                  }
                  before={count(previous.started)}
                />
                <Cell now={reviews(current)} before={reviews(previous)} />
                <Cell
                  now={count(failures(current))}
                  before={count(failures(previous))}
                  bad={failures(current) > 0}
                />
                <Cell now={duration(current.median)} before={duration(previous.median)} />
                <Cell
                  now={usageOf(usage?.current.get(agentId))}
                  before={usageOf(usage?.previous.get(agentId))}
                />
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
};
