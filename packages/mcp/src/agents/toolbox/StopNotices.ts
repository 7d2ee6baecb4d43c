import { type McpConnector, type Principal, ServerText, Workers } from "@quartermaster/core";
import { Effect } from "effect";
import type { CallingWorker } from "./ServiceTool.ts";

/** A worker's call renews its runs, and the result reports the runs that must stop. */

export interface Result extends McpConnector.ToolResult {
  readonly _meta?: Readonly<Record<string, unknown>>;
}

const sentence = ({ issueId, reason }: Workers.StopNotice): string =>
  reason === "leaseExpired"
    ? `${ServerText.prefix} Stop working on ${issueId}: your lease expired, and another run may have it. Call work_turn.`
    : `${ServerText.prefix} Stop working on ${issueId}: ${because[reason] ?? "it was taken from you"}. Call work_turn.`;

const because: Readonly<Record<string, string>> = {
  paused: "it was paused",
  blocked: "it has an open blocker",
  reassigned: "it was assigned to another agent",
  resolved: "it was resolved",
  closed: "it was closed",
  deleted: "it was deleted",
  statusChanged: "its status was changed",
  agentPaused: "you were paused",
  projectPaused: "its project was paused",
  takenOver: "another process took it over",
  budget: "a budget is exhausted",
};

/**
 * Adds notices to a result. A host gives the model either text or structured content. Structured
 * content that the tool's schema does not require becomes text; required structured content stays
 * next to the notice.
 */
const withNotices = (
  result: Result,
  notices: ReadonlyArray<Workers.StopNotice>,
  isStructured: boolean,
): Result => {
  const [first] = notices;
  if (first === undefined) return result;
  const { _meta: meta, content, structuredContent, ...rest } = result;
  const text = notices.map((notice) => ({ type: "text", text: sentence(notice) }));
  const { reason, runId } = first;
  return {
    ...rest,
    ...(isStructured ? { structuredContent } : {}),
    content: [
      ...(structuredContent !== undefined && content.length === 0
        ? [{ type: "text", text: JSON.stringify(structuredContent) }]
        : content),
      ...text,
    ],
    _meta: { ...meta, "quartermaster/stop": { runId, reason } },
  };
};

/** Wraps the calls of a worker. */
export const make = Effect.gen(function* () {
  const workers = yield* Workers.Workers;

  /** Renews at intervals of one third of the shortest lease. */
  const keepRenewing = (
    caller: CallingWorker,
    leases: ReadonlyArray<number>,
  ): Effect.Effect<never, never, Principal.CurrentPrincipal> =>
    leases.length === 0
      ? Effect.never
      : Effect.sleep(`${Math.min(...leases) / 3} seconds`).pipe(
          Effect.andThen(renew(caller)),
          Effect.flatMap((next) => keepRenewing(caller, next)),
        );

  // A failed renewal must not fail the call: the next renewal retries.
  const renew = ({ agentId, worker }: CallingWorker) =>
    Effect.catch(workers.renew(agentId, worker), (error) =>
      Effect.as(Effect.logWarning("Cannot renew a run", error), []),
    );

  const noticesOf = ({ agentId, worker }: CallingWorker) =>
    Effect.catch(workers.notices(agentId, worker), () => Effect.succeed([]));

  return Effect.fnUntraced(function* <E>(
    call: Effect.Effect<McpConnector.ToolResult, E, Principal.CurrentPrincipal>,
    caller: CallingWorker,
    /** Whether the tool declares an `outputSchema`. Read only if there is a notice to add. */
    hasOutputSchema: Effect.Effect<boolean, never, Principal.CurrentPrincipal>,
  ) {
    const leases = yield* renew(caller);
    const result = yield* Effect.raceFirst(call, keepRenewing(caller, leases));
    const notices = yield* noticesOf(caller);
    const isKept =
      notices.length > 0 && result.structuredContent !== undefined && (yield* hasOutputSchema);
    return withNotices(result, notices, isKept);
  });
});
