import { Link } from "@tanstack/react-router";
import type { Dependency, Model } from "../data/issues/dependencies.ts";
import { Badge } from "../parts/Badge.tsx";
import { StatusIcon } from "../parts/StatusIcon.tsx";
import styles from "./GraphRow.module.css";

const shown = 3;

const Others = ({
  byId,
  ids,
  label,
}: {
  readonly label: string;
  readonly ids: ReadonlyArray<string>;
  readonly byId: Model["byId"];
}) =>
  ids.length === 0 ? null : (
    <span className={styles["others"]}>
      {label}{" "}
      {ids.slice(0, shown).map((id) => (
        <Link key={id} to="/issues/$issueId" params={{ issueId: id }} dir="auto">
          {byId.get(id)?.issue.title}
        </Link>
      ))}
      {ids.length > shown ? ` and ${ids.length - shown} more` : null}
    </span>
  );

/** An issue in the list, with its blockers and dependents. */
export const GraphRow = ({
  byId,
  item: { blockers, dependents, isCritical, issue, waiting },
}: {
  readonly item: Dependency;
  readonly byId: Model["byId"];
}) => (
  <article className={styles["row"]} aria-label={issue.title}>
    <StatusIcon status={issue.status} />
    <Link
      className={styles["rowTitle"] ?? ""}
      to="/issues/$issueId"
      params={{ issueId: issue.key }}
      data-row
    >
      <span className={styles["key"]}>{issue.key}</span>
      <bdi>{issue.title}</bdi>
    </Link>
    <span className={styles["badges"]}>
      {isCritical ? <Badge text="Critical chain" tone="accent" /> : null}
      {waiting === 0 ? null : (
        <Badge
          text={`blocks ${waiting}`}
          title={`${waiting} open issues depend on it, directly or through others`}
          {...(waiting > 2 ? { tone: "warning" as const } : {})}
        />
      )}
    </span>
    <div className={styles["relations"]}>
      <Others label="Blocked by" ids={blockers} byId={byId} />
      <Others label="Blocks" ids={dependents} byId={byId} />
    </div>
  </article>
);
