import { Link } from "@tanstack/react-router";
import { statuses } from "../data/issues/issues.ts";
import type { Statistics } from "../data/stats.ts";
import { StatusIcon, statusName } from "../parts/StatusIcon.tsx";
import { Bar } from "./Bar.tsx";
import { Panel } from "./Panel.tsx";
import { count, duration, numberOf } from "./words.ts";
import styles from "./Overview.module.css";

const colors = {
  Open: "var(--status-open)",
  InProgress: "var(--status-progress)",
  WaitingOnDependency: "var(--status-waiting)",
  PendingReview: "var(--status-review)",
  Resolved: "var(--status-resolved)",
  Closed: "var(--status-closed)",
} as const;

/** The number of issues in each status, and the median time that issues spent in it. */
export const TimeInStatus = ({
  project,
  stats: { issues, timeInStatus },
}: {
  readonly stats: Statistics;
  readonly project: ReadonlyArray<string> | undefined;
}) => {
  const max = Math.max(0, ...Object.values(timeInStatus).map(({ p90 }) => numberOf(p90) ?? 0));
  return (
    <Panel title="Time in each status">
      <table className={styles["table"]}>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Now</th>
            <th scope="col" aria-hidden="true" />
            <th
              scope="col"
              title="Median time in this status, until now for issues that are still in it"
            >
              Median
            </th>
            <th
              scope="col"
              title="90th percentile of the time in this status, until now for issues that are still in it"
            >
              90 %
            </th>
          </tr>
        </thead>
        <tbody>
          {statuses.map((status) => {
            const { median, p90 } = timeInStatus[status];
            const search = { status: [status], project, view: "list" as const };
            return (
              <tr key={status}>
                <th scope="row">
                  <Link to="/work" search={search} className={styles["named"] ?? ""}>
                    <StatusIcon status={status} labelled />
                    {statusName(status)}
                  </Link>
                </th>
                <td>
                  <Link
                    to="/work"
                    search={search}
                    aria-label={`${count(issues[status])} ${statusName(status)}`}
                  >
                    {count(issues[status])}
                  </Link>
                </td>
                <td className={styles["barCell"]}>
                  <Bar
                    value={numberOf(median) ?? 0}
                    behind={numberOf(p90) ?? 0}
                    max={max}
                    color={colors[status]}
                  />
                </td>
                <td>{duration(median)}</td>
                <td>{duration(p90)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Panel>
  );
};
