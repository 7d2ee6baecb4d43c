import { type Principal, ServerText, Workers } from "@quartermaster/core";
import { Effect } from "effect";
import { type Result, stopOf } from "./ActingRuns.ts";
import type { CallingWorker } from "./ServiceTool.ts";

/** A worker's call renews its runs, and the result reports the runs that must stop. */

/** The sentence names the run where several processes may read it, one of which may hold the next run of the issue. */
const sentence = ({ issueId, reason, runId }: Workers.StopNotice, isShared: boolean): string => {
  const what = isShared && reason === "takenOver" ? `${issueId} as ${runId}` : issueId;
  const why = because[reason] ?? "it was taken from you";
  const how = isShared ? ` with runId ${runId}` : "";
  return `${ServerText.prefix} Stop working on ${what}: ${why}. Call work_turn${how}.`;
};

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
  leaseExpired: "your lease expired, and another run may have it",
};

/** Whether the result itself says that the run has to stop. */
const isStop = ({ _meta: meta }: Result, { runId }: Workers.StopNotice): boolean =>
  (meta?.["quartermaster/stop"] as { readonly runId?: string } | undefined)?.runId === runId;

/**
 * Adds notices to a result. A host gives the model either text or structured content. Structured
 * content that the tool's schema does not require becomes text; required structured content stays
 * next to the notice.
 */
const withNotices = (
  result: Result,
  notices: ReadonlyArray<Workers.StopNotice>,
  isStructured: boolean,
  isShared: boolean,
): Result => {
  // Several processes may read the result, and only the notice names the run to acknowledge.
  const unsaid = isShared ? notices : notices.filter((notice) => !isStop(result, notice));
  const [first] = unsaid;
  if (first === undefined) return result;
  const { _meta: meta, content, structuredContent, ...rest } = result;
  const text = unsaid.map((notice) => ({ type: "text", text: sentence(notice, isShared) }));
  return {
    ...rest,
    ...(isStructured ? { structuredContent } : {}),
    content: [
      ...(structuredContent !== undefined && content.length === 0
        ? [{ type: "text", text: JSON.stringify(structuredContent) }]
        : content),
      ...text,
    ],
    _meta: { ...meta, ...stopOf(first) },
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
    call: Effect.Effect<Result, E, Principal.CurrentPrincipal>,
    caller: CallingWorker,
    /** Whether the tool declares an `outputSchema`. Read only if there is a notice to add. */
    hasOutputSchema: Effect.Effect<boolean, never, Principal.CurrentPrincipal>,
  ) {
    const leases = yield* renew(caller);
    const result = yield* Effect.raceFirst(call, keepRenewing(caller, leases));
    const notices = yield* noticesOf(caller);
    const isKept =
      notices.length > 0 && result.structuredContent !== undefined && (yield* hasOutputSchema);
    return withNotices(result, notices, isKept, caller.worker.isShared);
  });
});
