import { Link } from "@tanstack/react-router";
import type { Run } from "../data/runs.ts";
import { lengthOf, phaseOf, stateAt } from "../data/runWords.ts";
import { RunIssue } from "../now/RunIssue.tsx";
import { Badge } from "../parts/Badge.tsx";
import { RelativeTime, useNow } from "../parts/RelativeTime.tsx";
import { ListRow } from "../parts/ScreenList.tsx";
import styles from "./Runs.module.css";

/** A run in the list. */
export const RunRow = ({ run }: { readonly run: Run }) => {
  const now = useNow();
  const phase = phaseOf(run, now);
  const { text, tone, why } =
    phase === "overdue"
      ? { text: "Lease expired", tone: "warning" as const, why: null }
      : stateAt(run, now);
  const end = Date.parse(run.endedAt ?? run.leaseExpiresAt);
  // The reason of an outcome is about the time of the hand-in: the issue may have moved on.
  const note = (run.outcome === null ? why : null) ?? run.note ?? "";
  return (
    <ListRow className={styles["row"]} aria-label={`${run.issueKey ?? "Run"}, ${text}`}>
      <Link
        className={styles["state"] ?? ""}
        to="/runs/$runId"
        params={{ runId: run.id }}
        data-item={run.id}
      >
        <Badge text={text} {...(tone === undefined ? {} : { tone })} />
      </Link>
      <span className={styles["issue"]}>
        <RunIssue run={run} />
      </span>
      <span className={styles["note"]} title={note} dir="auto">
        {note}
      </span>
      <Link
        className={styles["agent"] ?? ""}
        to="/agents/$agentId"
        params={{ agentId: run.agentId }}
      >
        {run.agentId}
      </Link>
      <span className={styles["figure"]} title="Duration of the run">
        {lengthOf(run.startedAt, phase === "live" ? now : end)}
      </span>
      <span className={styles["figure"]}>
        <RelativeTime iso={run.startedAt} prefix="Started" />
      </span>
    </ListRow>
  );
};
