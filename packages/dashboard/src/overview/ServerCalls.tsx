import { Link } from "@tanstack/react-router";
import type { Statistics } from "../data/stats.ts";
import { Bar } from "./Bar.tsx";
import { Panel } from "./Panel.tsx";
import { count, millis } from "./words.ts";
import styles from "./Overview.module.css";

/** The number and the latency of tool calls, by server. */
export const ServerCalls = ({
  servers,
}: {
  readonly servers: NonNullable<Statistics["servers"]>;
}) => {
  const busiest = servers.toSorted((a, b) => b.calls - a.calls);
  const max = busiest[0]?.calls ?? 0;
  return (
    <Panel title="Tool calls by server">
      {busiest.length === 0 ? (
        <p className={styles["none"]}>
          No servers yet. <Link to="/servers">Install one</Link> to give agents tools.
        </p>
      ) : (
        <table className={styles["table"]}>
          <thead>
            <tr>
              <th scope="col">Server</th>
              <th scope="col" colSpan={2}>
                Calls
              </th>
              <th scope="col">Errors</th>
              <th scope="col" title="Median duration of calls">
                Median
              </th>
              <th scope="col" title="95th percentile of the duration of calls">
                95 %
              </th>
            </tr>
          </thead>
          <tbody>
            {busiest.map(({ calls, errors, name, p50, p95, serverId }) => (
              <tr key={serverId}>
                <th scope="row">
                  <Link to="/servers/$serverId" params={{ serverId }} search={{ tab: "calls" }}>
                    {name}
                  </Link>
                </th>
                <td className={styles["barCell"]}>
                  <Bar value={calls} max={max} color="var(--accent)" />
                </td>
                <td>{count(calls)}</td>
                <td className={errors > 0 ? styles["bad"] : undefined}>{count(errors)}</td>
                <td>{millis(p50)}</td>
                <td>{millis(p95)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
};
