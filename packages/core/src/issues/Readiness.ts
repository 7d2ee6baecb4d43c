import { Schema } from "effect";
import * as Timestamp from "../Timestamp.ts";

/** The reasons why an issue is not picked up. `leaseExpired` and `agentSilent` leave it ready. */
export const ReadinessCode = Schema.Literals([
  "notOpen",
  "paused",
  "tooManyAttempts",
  "notBefore",
  "blocked",
  "agentPaused",
  "projectPaused",
  "awaitingAnswer",
  "unassigned",
  "running",
  "callInFlight",
  "leaseExpired",
  "agentSilent",
]);

/** Whether the assigned agent would pick the issue up, with the reasons. */
export const Readiness = Schema.Struct({
  ready: Schema.Boolean.annotateKey({
    description: "Whether the assigned agent's next heartbeat would pick the issue up.",
  }),
  reasons: Schema.Array(
    Schema.Struct({
      code: ReadinessCode.annotateKey({
        description:
          "`notOpen`: the status is neither `Open` nor `InProgress`. `paused`: a person has to resume it. `tooManyAttempts`: it is paused because its runs died or failed too often. `notBefore`: it is deferred to a later time. `blocked`: a blocker is open. `awaitingAnswer`: a blocking question is open. `agentPaused`: its agent is paused. `projectPaused`: its project is paused. `unassigned`: it has no agent. `running`: a run holds it. `callInFlight`: a tool call for one of its runs has not ended. `leaseExpired`: the last run died, which leaves `ready` true. `agentSilent`: the agent has sent no heartbeat for 10 minutes, which leaves `ready` true.",
      }),
      detail: Schema.String.annotateKey({ description: "One or two sentences for people." }),
      data: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotateKey({
        description:
          "`blocked`: `blockers`, the open blockers, and `roots`, the open ends of the chain, each up to 20 visible issues with `id`, `title`, `status` and `assignedAgentId`. `running` and `leaseExpired`: `run` with `runId`, `agentId`, `startedAt` and `leaseExpiresAt`. `notBefore`: `notBefore`. `tooManyAttempts`: `attempts`. `awaitingAnswer`: `questionIds`. `callInFlight`: `until`, the time after which the call is lost unless its node extends it. `agentSilent`: `lastHeartbeatAt`, null without any heartbeat. Otherwise null.",
      }),
    }),
  ).annotateKey({ description: "Every reason why the issue will not, or may not, be picked up." }),
}).annotate({
  identifier: "Readiness",
  description: "Whether the assigned agent would pick the issue up, with the reasons.",
});
export interface Readiness extends Schema.Schema.Type<typeof Readiness> {}
export type Reason = Readiness["reasons"][number];

/** Seconds without a heartbeat after which an agent is silent. */
const silentSeconds = 600;

/** The time before which a last heartbeat makes an agent silent at `now`. */
export const silentSince = (now: Timestamp.Timestamp): Timestamp.Timestamp =>
  Timestamp.addSeconds(now, -silentSeconds);

/** The reason `agentSilent`, if the assigned agent's last heartbeat is too old or never happened. */
export const silenceOf = (
  agentId: string,
  lastHeartbeatAt: Timestamp.Timestamp | null,
  now: Timestamp.Timestamp,
): Reason | null => {
  if (lastHeartbeatAt === null) {
    return {
      code: "agentSilent",
      detail: `The agent ${agentId} has never sent a heartbeat.`,
      data: { lastHeartbeatAt },
    };
  }
  return lastHeartbeatAt < silentSince(now)
    ? {
        code: "agentSilent",
        detail: `The agent ${agentId} sent its last heartbeat at ${lastHeartbeatAt}.`,
        data: { lastHeartbeatAt },
      }
    : null;
};
