import type { Statistics } from "../data/stats.ts";
import { bucketName, count } from "./words.ts";
import styles from "./Overview.module.css";

const names = ["created", "resolved", "closed", "failed", "expired"] as const;

/** The throughput chart as a table: hours or days with any events, newest first. */
export const ThroughputTable = ({ bucket, series }: Pick<Statistics, "bucket" | "series">) => {
  const busy = series.filter(
    ({ closed, created, expired, failed, resolved }) =>
      closed + created + expired + failed + resolved > 0,
  );
  return (
    <details className={styles["details"]}>
      <summary>Show as a table</summary>
      {busy.length === 0 ? (
        <p>No activity in this period.</p>
      ) : (
        <div
          className={styles["scroll"]}
          tabIndex={0}
          role="region"
          aria-label="Throughput as a table"
        >
          <table className={styles["table"]}>
            <thead>
              <tr>
                <th scope="col">{bucket === "hour" ? "Hour" : "Day (UTC)"}</th>
                <th scope="col">Created</th>
                <th scope="col">Resolved</th>
                <th scope="col">Closed</th>
                <th scope="col">Failed</th>
                <th scope="col">Expired</th>
              </tr>
            </thead>
            <tbody>
              {busy.toReversed().map((one) => (
                <tr key={one.at}>
                  <th scope="row">{bucketName(one.at, bucket)}</th>
                  {names.map((name) => (
                    <td key={name}>{count(one[name])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
};
