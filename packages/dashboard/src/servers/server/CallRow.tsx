import type { ToolCall } from "../../data/servers/calls.ts";
import { Badge } from "../../parts/Badge.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { duration, isFailed } from "../latency.ts";
import styles from "./Calls.module.css";

const outcomes: Readonly<Record<NonNullable<ToolCall["outcome"]>, string>> = {
  ok: "OK",
  error: "Error",
  cancelled: "Cancelled",
  unknownTool: "Unknown tool",
  notGranted: "Not granted",
  notEnabled: "Not enabled",
  failing: "Server down",
  withheld: "Withheld",
  timeout: "Timeout",
  crashed: "Crashed",
  agentPaused: "Agent paused",
  lost: "Lost",
  refused: "Refused",
  replayed: "Replayed",
};

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
    <span className={styles["agent"]}>{call.agentId}</span>
    <span className={styles["outcome"]}>
      <Badge
        text={call.outcome === null ? "In flight" : outcomes[call.outcome]}
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
