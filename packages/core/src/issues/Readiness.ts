import { Schema } from "effect";

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
