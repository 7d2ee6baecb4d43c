import { Schema } from "effect";
import * as Timestamp from "../Timestamp.ts";

/** Why an issue is not picked up. `agentSilent` alone leaves it ready. */
export const ReadinessCode = Schema.Literals([
  "notOpen",
  "paused",
  "blocked",
  "unassigned",
  "running",
  "agentSilent",
]);

/** Why is an issue, or is it not, being worked on? */
export const Readiness = Schema.Struct({
  /** What the claim would say at the agent's next heartbeat. */
  ready: Schema.Boolean,
  reasons: Schema.Array(Schema.Struct({ code: ReadinessCode, detail: Schema.String })),
}).annotate({ identifier: "Readiness" });
export interface Readiness extends Schema.Schema.Type<typeof Readiness> {}
export type Reason = Readiness["reasons"][number];

/** An agent is silent after this many seconds without a heartbeat. */
const silentSeconds = 600;

/** The reason `agentSilent`, if the assigned agent's last heartbeat is too old or never happened. */
export const silenceOf = (
  agentId: string,
  lastHeartbeatAt: Timestamp.Timestamp | null,
  now: Timestamp.Timestamp,
): Reason | null => {
  if (lastHeartbeatAt === null) {
    return { code: "agentSilent", detail: `The agent ${agentId} has never sent a heartbeat.` };
  }
  return lastHeartbeatAt < Timestamp.addSeconds(now, -silentSeconds)
    ? {
        code: "agentSilent",
        detail: `The agent ${agentId} sent its last heartbeat at ${lastHeartbeatAt}.`,
      }
    : null;
};
