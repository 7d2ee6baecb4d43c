import { Link } from "@tanstack/react-router";
import { type ReactNode, Suspense, useState } from "react";
import type { Statistics } from "../data/stats.ts";
import { lazily } from "../parts/lazily.ts";
import { Skeleton } from "../parts/Skeleton.tsx";
import { Panel } from "./Panel.tsx";
import { ThroughputTable } from "./ThroughputTable.tsx";
import { bucketName, count, windowNames } from "./words.ts";
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

/** The time just before another one, since `createdAfter` excludes the time itself. */
const before = (iso: string): string => new Date(Date.parse(iso) - 1).toISOString();

/** A number that links to the issues that it counts, where a list has exactly these. */
const Counted = ({
  children,
  search,
}: {
  readonly search: {
    readonly project: ReadonlyArray<string> | undefined;
    readonly createdAfter: string;
    readonly view: "list";
  } | null;
  readonly children: ReactNode;
}) =>
  search === null ? (
    <span className={styles["counted"]}>{children}</span>
  ) : (
    <Link to="/work" search={search}>
      {children}
    </Link>
  );

/** The numbers of created, resolved and failed issues over time. */
export const Throughput = ({
  project,
  stats: { bucket, from, previous, series, window },
}: {
  readonly stats: Statistics;
  readonly project: ReadonlyArray<string> | undefined;
}) => {
  const [at, setAt] = useState<number | null>(null);
  const point = at === null ? undefined : series[at];
  const of = (name: Name) =>
    point === undefined ? series.reduce((sum, one) => sum + one[name], 0) : point[name];
  const earlier: Readonly<Record<Name, number>> = {
    created: previous.created,
    resolved: previous.resolved,
    failed: previous.runs.failed,
  };
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
            <Counted
              // The list has all issues created in the window; of a single hour or of runs there is no list.
              search={
                name === "created" && point === undefined
                  ? { project, createdAfter: before(from), view: "list" }
                  : null
              }
            >
              <span className={styles["swatch"]} style={{ background: color }} aria-hidden="true" />
              {title} <strong>{count(of(name))}</strong>
            </Counted>
            {point === undefined ? (
              <span className={styles["earlier"]} title={`The ${windowNames[window]} before`}>
                {count(earlier[name])} before
              </span>
            ) : null}
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
      <ThroughputTable bucket={bucket} series={series} />
    </Panel>
  );
};
