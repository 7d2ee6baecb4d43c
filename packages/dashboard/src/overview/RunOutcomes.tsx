import { Link } from "@tanstack/react-router";
import type { Statistics } from "../data/stats.ts";
import { Bar } from "./Bar.tsx";
import { Panel } from "./Panel.tsx";
import { count, windowNames } from "./words.ts";
import styles from "./Overview.module.css";

const outcomes = [
  { name: "resolved", title: "Resolved", color: "var(--status-resolved)" },
  { name: "review", title: "In review", color: "var(--status-review)" },
  { name: "released", title: "Released", color: "var(--status-open)" },
  { name: "failed", title: "Failed", color: "var(--danger)" },
  { name: "expired", title: "Lease expired", color: "var(--warning)" },
] as const;

/** The outcomes of the runs that finished in the window. */
export const RunOutcomes = ({
  project,
  stats: { agents, from, previous, runs, window },
}: {
  readonly stats: Statistics;
  readonly project: string | undefined;
}) => {
  const max = Math.max(...outcomes.map(({ name }) => runs[name]));
  return (
    <Panel
      title="Runs by outcome"
      side={
        <span className={styles["side"]}>
          <Link to="/runs" search={{ project, from }}>
            {count(runs.started)} started
          </Link>
          <Link to="/agents" search={{ state: "alive" }}>
            {count(agents.active)} agents alive
          </Link>
          <Link to="/agents" search={{ state: "silent" }}>
            {count(agents.silent)} silent
          </Link>
        </span>
      }
    >
      <table className={styles["table"]}>
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            <th scope="col" colSpan={2}>
              Runs
            </th>
            <th scope="col" title={`The ${windowNames[window]} before`}>
              Before
            </th>
          </tr>
        </thead>
        <tbody>
          {outcomes.map(({ color, name, title }) => (
            <tr key={name}>
              <th scope="row">{title}</th>
              <td className={styles["barCell"]}>
                <Bar value={runs[name]} max={max} color={color} />
              </td>
              <td>
                {name === "expired" ? (
                  count(runs[name])
                ) : (
                  <Link
                    to="/runs"
                    search={{ project, state: name, ended: from }}
                    aria-label={`${count(runs[name])} ${title}`}
                  >
                    {count(runs[name])}
                  </Link>
                )}
              </td>
              <td className={styles["earlier"]}>{count(previous.runs[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
};
