import { Link } from "@tanstack/react-router";
import { type Issue, type Readiness as Ready, useReadiness } from "../../data/issues/issue.ts";
import { useProjectNames } from "../../data/issues/projects.ts";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { Icon, type IconName } from "../../parts/Icon.tsx";
import { useNow } from "../../parts/RelativeTime.tsx";
import { Skeleton } from "../../parts/Skeleton.tsx";
import { StatusIcon, type StatusName } from "../../parts/StatusIcon.tsx";
import { readinessOf } from "./readiness.ts";
import styles from "./Side.module.css";

interface Other {
  readonly id: string;
  readonly title: string;
  readonly status: StatusName;
}

const othersOf = (data: Ready["reasons"][number]["data"], name: "blockers" | "roots") => {
  const value = (data as Readonly<Record<string, unknown>> | null)?.[name];
  return Array.isArray(value) ? (value as ReadonlyArray<Other>) : [];
};

const Others = ({ label, others }: { readonly label: string; readonly others: readonly Other[] }) =>
  others.length === 0 ? null : (
    <div className={styles["others"]}>
      <span>{label}</span>
      {others.map(({ id, status, title }) => (
        <Link key={id} to="/issues/$issueId" params={{ issueId: id }} className={styles["other"]}>
          <StatusIcon status={status} />
          <span dir="auto">{title}</span>
        </Link>
      ))}
    </div>
  );

const icons: Readonly<Record<ReturnType<typeof readinessOf>["tone"], IconName>> = {
  ready: "check",
  running: "play",
  silent: "warning",
  waits: "pause",
};

/** One sentence on whether an agent picks the issue up, with links to its obstacles. */
export const Readiness = ({ issue }: { readonly issue: Issue }) => {
  const { data, error } = useReadiness(issue.id);
  const now = useNow();
  const projectName = useProjectNames();
  if (error !== null && data === undefined) return <ErrorNote error={error} />;
  if (data === undefined) return <Skeleton height={34} />;
  const blocked = data.reasons.find(({ code }) => code === "blocked");
  const blockers = othersOf(blocked?.data ?? null, "blockers");
  const ids = new Set(blockers.map(({ id }) => id));
  const roots = othersOf(blocked?.data ?? null, "roots").filter(({ id }) => !ids.has(id));
  const { text, tone } = readinessOf(data, issue, projectName(issue.projectId), now);
  return (
    <div className={styles["readiness"]} data-tone={tone}>
      <p>
        <Icon name={icons[tone]} size={14} />
        <span>{text}</span>
      </p>
      <Others label="Waits for" others={blockers} />
      <Others label="Stuck at" others={roots} />
    </div>
  );
};
