import { Link } from "@tanstack/react-router";
import type { Statistics } from "../data/stats.ts";
import { Bar } from "./Bar.tsx";
import { Panel } from "./Panel.tsx";
import { count } from "./words.ts";
import styles from "./Overview.module.css";

const outcomes = [
  { name: "resolved", title: "Resolved", color: "var(--status-resolved)", status: "Resolved" },
  { name: "review", title: "In review", color: "var(--status-review)", status: "PendingReview" },
  { name: "released", title: "Released", color: "var(--status-open)", status: "Open" },
  { name: "failed", title: "Failed", color: "var(--danger)", kind: "failed" },
  { name: "expired", title: "Lease expired", color: "var(--warning)", kind: "tooManyAttempts" },
] as const;

/** The outcomes of the runs that finished in the window. */
export const RunOutcomes = ({
  project,
  stats: { agents, runs },
}: {
  readonly stats: Statistics;
  readonly project: ReadonlyArray<string> | undefined;
}) => {
  const max = Math.max(...outcomes.map(({ name }) => runs[name]));
  return (
    <Panel
      title="Runs by outcome"
      side={
        <span className={styles["side"]}>
          <Link to="/work" search={{ status: "InProgress", project, view: "list" }}>
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
          </tr>
        </thead>
        <tbody>
          {outcomes.map((outcome) => {
            const { color, name, title } = outcome;
            const linkOf = (text: string, label: string) =>
              "status" in outcome ? (
                <Link
                  to="/work"
                  search={{ status: outcome.status, project, view: "list" }}
                  aria-label={label}
                >
                  {text}
                </Link>
              ) : (
                <Link to="/inbox" search={{ kind: [outcome.kind], project }} aria-label={label}>
                  {text}
                </Link>
              );
            return (
              <tr key={name}>
                <th scope="row">{linkOf(title, title)}</th>
                <td className={styles["barCell"]}>
                  <Bar value={runs[name]} max={max} color={color} />
                </td>
                <td>{linkOf(count(runs[name]), `${count(runs[name])} ${title}`)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Panel>
  );
};
