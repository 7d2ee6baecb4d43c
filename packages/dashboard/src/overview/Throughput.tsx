import { Suspense, useState } from "react";
import type { Statistics } from "../data/stats.ts";
import { lazily } from "../parts/lazily.ts";
import { Skeleton } from "../parts/Skeleton.tsx";
import { CountLink } from "./CountLink.tsx";
import { Panel } from "./Panel.tsx";
import { ThroughputTable } from "./ThroughputTable.tsx";
import { bucketName, count } from "./words.ts";
import styles from "./Throughput.module.css";

const SeriesChart = lazily(() => import("./SeriesChart.tsx"), "SeriesChart");

type Name = "created" | "resolved" | "failed";

const looks: ReadonlyArray<{
  readonly name: Name;
  readonly title: string;
  readonly color: string;
}> = [
  { name: "created", title: "Created", color: "var(--accent)" },
  { name: "resolved", title: "Resolved", color: "var(--status-resolved)" },
  { name: "failed", title: "Failed runs", color: "var(--danger)" },
];

/** The numbers of created, resolved and failed issues over time. */
export const Throughput = ({
  project,
  stats: { bucket, series },
}: {
  readonly stats: Statistics;
  readonly project: ReadonlyArray<string> | undefined;
}) => {
  const [at, setAt] = useState<number | null>(null);
  const point = at === null ? undefined : series[at];
  const of = (name: Name) =>
    point === undefined ? series.reduce((sum, one) => sum + one[name], 0) : point[name];
  const isQuiet = looks.every(({ name }) => series.every((one) => one[name] === 0));
  return (
    <Panel
      wide
      title="Throughput"
      side={
        <span className={styles["when"]}>
          {point === undefined ? null : bucketName(point.at, bucket)}
        </span>
      }
    >
      <ul className={styles["legend"]}>
        {looks.map(({ color, name, title }) => (
          <li key={name}>
            <CountLink name={name} project={project}>
              <span className={styles["swatch"]} style={{ background: color }} aria-hidden="true" />
              {title} <strong>{count(of(name))}</strong>
            </CountLink>
          </li>
        ))}
      </ul>
      {isQuiet ? (
        <p className={styles["quiet"]}>
          No issues were created, resolved or failed in this period.
        </p>
      ) : (
        <Suspense fallback={<Skeleton height={190} />}>
          <SeriesChart
            bucket={bucket}
            times={series.map((one) => Date.parse(one.at) / 1_000)}
            // uPlot draws later lines on top.
            lines={looks.toReversed().map(({ color, name, title }) => ({
              name: title,
              color,
              values: series.map((one) => one[name]),
            }))}
            onPoint={setAt}
          />
        </Suspense>
      )}
      <ThroughputTable bucket={bucket} series={series} project={project} />
    </Panel>
  );
};
