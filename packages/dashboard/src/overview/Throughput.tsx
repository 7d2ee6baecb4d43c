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

/** A number without a list of what it counts: an issue may be resolved more than once. */
const Uncounted = ({ children }: { readonly children: ReactNode }) => (
  <span className={styles["counted"]}>{children}</span>
);

/** A number of the window that links to the issues or runs that it counts, where a list has exactly these. */
const Counted = ({
  children,
  from,
  name,
  project,
}: {
  readonly name: Name;
  readonly from: string;
  readonly project: ReadonlyArray<string> | undefined;
  readonly children: ReactNode;
}) => {
  switch (name) {
    case "created":
      return (
        <Link to="/work" search={{ project, createdAfter: before(from), view: "list" }}>
          {children}
        </Link>
      );
    case "failed":
      return (
        <Link to="/runs" search={{ project: project?.[0], state: "failed", ended: from }}>
          {children}
        </Link>
      );
    case "resolved":
      return <Uncounted>{children}</Uncounted>;
  }
};

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
  const figure = (color: string, title: string, name: Name) => (
    <>
      <span className={styles["swatch"]} style={{ background: color }} aria-hidden="true" />
      {title} <strong>{count(of(name))}</strong>
    </>
  );
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
            {point === undefined ? (
              <Counted name={name} from={from} project={project}>
                {figure(color, title, name)}
              </Counted>
            ) : (
              // Of a single hour or day there is no list.
              <Uncounted>{figure(color, title, name)}</Uncounted>
            )}
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
