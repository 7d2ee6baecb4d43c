import type { Run, ToolCall } from "@quartermaster/client";

const stops: Readonly<Record<NonNullable<Run["stopReason"]>, string>> = {
  paused: "the issue was paused",
  blocked: "the issue was blocked",
  reassigned: "the issue was reassigned",
  resolved: "the issue was resolved",
  closed: "the issue was closed",
  deleted: "the issue was deleted",
  statusChanged: "the status changed",
  agentPaused: "the agent was paused",
  projectPaused: "the project was paused",
  leaseExpired: "the lease expired",
  takenOver: "another process took it over",
  budget: "a budget is exhausted",
  unknown: "unknown",
};

const outcomes: Readonly<Record<Exclude<Run["outcome"], "failed" | null>, string>> = {
  resolved: "Resolved",
  review: "In review",
  released: "Released",
};

export type Tone = "warning" | "danger" | "accent" | "success";

type State = Pick<Run, "leaseExpiresAt" | "outcome" | "status" | "stopReason">;

interface End {
  readonly text: string;
  readonly tone?: Tone;
  readonly why: string | null;
}

/**
 * `live`: the lease is valid. `overdue`: the lease expired and the agent still holds the issue, until a heartbeat starts
 * it again. `over`: the run ended, or its agent did not confirm a stop before the lease expired.
 */
export const phaseOf = (
  { leaseExpiresAt, status }: State,
  now: number,
): "live" | "overdue" | "over" => {
  if (status === "ended") return "over";
  if (Date.parse(leaseExpiresAt) > now) return "live";
  return status === "active" ? "overdue" : "over";
};

/** The outcome of a run in one word, with its reason. */
export const endOf = ({ outcome, status, stopReason }: Omit<State, "leaseExpiresAt">): End => {
  const why = stopReason === null ? null : stops[stopReason];
  if (status === "active") return { text: "Running", tone: "accent", why };
  if (status === "stopping") return { text: "Stopping", tone: "warning", why };
  if (outcome === null) {
    return stopReason === "leaseExpired"
      ? { text: "Lease expired", tone: "danger", why: null }
      : { text: "Stopped", why };
  }
  if (outcome === "failed") {
    return stopReason === "paused"
      ? { text: "Failed and paused", tone: "danger", why: "a person has to resume the issue" }
      : { text: "Failed and retried", tone: "warning", why: null };
  }
  return {
    text: outcomes[outcome],
    // The hand-in itself changed the issue, so the reason adds nothing.
    why: null,
    ...(outcome === "resolved" || outcome === "review" ? { tone: "success" as const } : {}),
  };
};

/** Says that a lease expired, and what happens next. */
export const lostText = (expiredAt: string, now: number): string =>
  `Lease expired ${lengthOf(expiredAt, now)} ago; the next heartbeat picks it up`;

/** The state of a run at a time in milliseconds, with its reason. */
export const stateAt = (run: State, now: number): End => {
  const phase = phaseOf(run, now);
  if (phase === "overdue") {
    return { text: lostText(run.leaseExpiresAt, now), tone: "warning", why: null };
  }
  return endOf(phase === "over" ? { ...run, status: "ended" } : run);
};

const calls: Readonly<Record<NonNullable<ToolCall["outcome"]>, string>> = {
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
  otherNode: "On another node",
  lost: "Lost",
  refused: "Refused",
  replayed: "Replayed",
};

export const callName = (outcome: ToolCall["outcome"]): string =>
  outcome === null ? "In flight" : calls[outcome];

/** The tone of how a call ended; none while it is in flight. */
export const callTone = (
  outcome: ToolCall["outcome"],
): { readonly tone?: "danger" | "success" } => {
  if (outcome === null) return {};
  return { tone: outcome === "ok" || outcome === "replayed" ? "success" : "danger" };
};

/** The duration from a timestamp to a time in milliseconds, as `40s`, `5m` or `2h 10m`. */
export const lengthOf = (from: string, to: number): string => {
  const seconds = Math.max(0, Math.round((to - Date.parse(from)) / 1_000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h ${minutes % 60}m` : `${Math.floor(hours / 24)}d`;
};

export const millis = (value: number): string =>
  value < 1_000 ? `${Math.round(value)} ms` : `${(value / 1_000).toFixed(1)} s`;
