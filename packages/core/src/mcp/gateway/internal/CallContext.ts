import { Effect } from "effect";
import type { RunRow } from "../../../agents/Run.ts";
import { CurrentTrace } from "../../CurrentTrace.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";

/**
 * `_meta` of a request to a server: whose call it is, and the caller's trace. Nothing else of the caller's
 * `_meta` passes. Without `sendContext` a server receives only the `idempotencyKey` of an effect.
 */
export const metaOf = Effect.fnUntraced(function* (
  call: { readonly id: string; readonly agentId: string },
  run: RunRow | null,
  { sendContext }: Pick<InstalledServerRow, "sendContext">,
  idempotencyKey: string | null,
) {
  const ofEffect = idempotencyKey === null ? null : { idempotencyKey };
  if (!sendContext) {
    return ofEffect === null ? undefined : { "quartermaster/call": ofEffect };
  }
  return {
    ...(yield* CurrentTrace),
    "quartermaster/call": {
      callId: call.id,
      agentId: call.agentId,
      runId: run?.id ?? null,
      issueId: run?.issueId ?? null,
      projectId: run?.projectId ?? null,
      attempt: run?.attempt ?? null,
      ...ofEffect,
    },
  };
});
