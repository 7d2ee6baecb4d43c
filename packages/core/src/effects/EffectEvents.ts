import { Effect } from "effect";
import type { Actor } from "../Actor.ts";
import { EventLog } from "../events/EventLog.ts";
import type { EffectSlot } from "./EffectSlot.ts";

/**
 * Records the events of effects in the current transaction. The timeline of the issue omits them: an agent may call
 * often.
 */
export const make = Effect.map(
  EventLog,
  (events) =>
    (
      kind: "issue.effectEnded" | "issue.effectSent",
      {
        callId,
        issueId,
        runId,
        server,
        state,
        tool,
      }: Pick<EffectSlot, "callId" | "issueId" | "runId" | "server" | "state" | "tool">,
      projectId: string | null,
      actor: Actor,
    ) =>
      events.record([
        {
          kind,
          projectId,
          relatedProjectId: null,
          subjectId: issueId,
          actor,
          data: { callId, runId, server, tool, state },
        },
      ]),
);
