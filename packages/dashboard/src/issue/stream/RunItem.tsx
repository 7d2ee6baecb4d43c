import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { endOf } from "../../data/issues/activityWords.ts";
import { phaseOf, stateAt } from "../../data/runWords.ts";
import { Badge } from "../../parts/Badge.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { duration, type RunEntry } from "./stream.ts";
import styles from "./Stream.module.css";

const useSeconds = (isRunning: boolean): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
};

/** The outcome of the run, or its state now. */
const badgeOf = ({ end, run }: RunEntry, now: number) => {
  if (end !== null) {
    const { isBad, text } = endOf(end);
    return { text, ...(isBad ? { tone: "danger" as const } : {}) };
  }
  if (run === null) return { text: "Running", tone: "accent" as const };
  const { text, tone, why } = stateAt(run, now);
  return {
    text: why === null ? text : `${text}: ${why}`,
    ...(tone === undefined ? {} : { tone }),
  };
};

/** A run with its agent, attempt, duration, note and state. */
export const RunItem = ({ run: entry }: { readonly run: RunEntry }) => {
  const { agentId, attempt, endedAt, id, run, startedAt } = entry;
  const now = useSeconds(endedAt === null);
  const isLive = endedAt === null && (run === null || phaseOf(run, now) === "live");
  const end =
    endedAt ?? (isLive ? new Date(now).toISOString() : (run?.leaseExpiresAt ?? startedAt));
  return (
    <li className={styles["run"]}>
      <span className={styles["mark"]} data-live={isLive}>
        <Icon name="play" size={12} />
      </span>
      <span className={styles["words"]}>
        <b>{agentId}</b> {isLive ? "works on it" : "worked on it"} for{" "}
        <Link className={styles["number"] ?? ""} to="/runs/$runId" params={{ runId: id }}>
          {duration(startedAt, end)}
        </Link>
        {attempt === null ? null : <span className={styles["attempt"]}>Attempt {attempt}</span>}
        {isLive && run !== null && run.note !== null ? (
          <span className={styles["note"]} dir="auto">
            {run.note}
          </span>
        ) : null}
      </span>
      <Badge {...badgeOf(entry, now)} />
      <RelativeTime iso={startedAt} prefix="Started" />
    </li>
  );
};
