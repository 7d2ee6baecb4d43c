import { Link } from "@tanstack/react-router";
import { callName } from "../../data/runWords.ts";
import type { ToolCall } from "../../data/servers/calls.ts";
import { Badge } from "../../parts/Badge.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { duration, isFailed } from "../latency.ts";
import styles from "./Calls.module.css";

/** A call of a tool of the server. The agent leads to the run. */
export const CallRow = ({ call }: { readonly call: ToolCall }) => (
  <div className={styles["call"]}>
    <span className={styles["tool"]}>
      {call.tool}
      {call.error === null ? null : (
        <span className={styles["error"]} title={call.error}>
          {call.error}
        </span>
      )}
    </span>
    <span className={styles["agent"]}>
      {call.runId === null ? (
        call.agentId
      ) : (
        <Link to="/runs/$runId" params={{ runId: call.runId }} title="Open the run">
          {call.agentId}
        </Link>
      )}
    </span>
    <span className={styles["outcome"]}>
      <Badge
        text={callName(call.outcome)}
        {...(call.outcome === "cancelled" || call.outcome === null
          ? {}
          : { tone: isFailed(call) ? ("danger" as const) : ("success" as const) })}
      />
    </span>
    <span className={styles["duration"]}>
      {call.durationMs === null ? "" : duration(call.durationMs)}
    </span>
    <span className={styles["time"]}>
      <RelativeTime iso={call.startedAt} />
    </span>
  </div>
);
