import type { ToolCall } from "../../data/servers/calls.ts";
import { Badge } from "../../parts/Badge.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { duration, isFailed } from "../latency.ts";
import styles from "./Calls.module.css";

const outcomes: Readonly<Record<ToolCall["outcome"], string>> = {
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
};

export const CallRow = ({ call }: { readonly call: ToolCall }) => (
  <div className={styles["call"]}>
    <span className={styles["tool"]}>{call.tool}</span>
    <span className={styles["agent"]}>{call.agentId}</span>
    <span className={styles["outcome"]}>
      <Badge
        text={outcomes[call.outcome]}
        {...(call.outcome === "cancelled"
          ? {}
          : { tone: isFailed(call) ? ("danger" as const) : ("success" as const) })}
      />
    </span>
    <span className={styles["duration"]}>{duration(call.durationMs)}</span>
    <span className={styles["time"]}>
      <RelativeTime iso={call.startedAt} />
    </span>
  </div>
);
