import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Badge } from "../../parts/Badge.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { endOf } from "../common/words.ts";
import { duration, type RunEntry } from "./stream.ts";
import styles from "./Stream.module.css";

const useNow = (isRunning: boolean): string => {
  const [now, setNow] = useState(() => new Date().toISOString());
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(new Date().toISOString()), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
};

/** A run with its agent, attempt, duration and outcome. */
export const RunItem = ({ run }: { readonly run: RunEntry }) => {
  const now = useNow(run.endedAt === null);
  const end = run.end === null ? null : endOf(run.end);
  return (
    <li className={styles["run"]}>
      <span className={styles["mark"]} data-live={run.endedAt === null}>
        <Icon name="play" size={12} />
      </span>
      <span className={styles["words"]}>
        <b>{run.agentId}</b> {run.endedAt === null ? "works on it" : "worked on it"} for{" "}
        <Link className={styles["number"] ?? ""} to="/runs/$runId" params={{ runId: run.id }}>
          {duration(run.startedAt, run.endedAt ?? now)}
        </Link>
        {run.attempt === null ? null : (
          <span className={styles["attempt"]}>Attempt {run.attempt}</span>
        )}
      </span>
      {end === null ? (
        <Badge text="Running" tone="warning" />
      ) : (
        <Badge text={end.text} {...(end.isBad ? { tone: "danger" } : {})} />
      )}
      <RelativeTime iso={run.startedAt} prefix="Started" />
    </li>
  );
};
