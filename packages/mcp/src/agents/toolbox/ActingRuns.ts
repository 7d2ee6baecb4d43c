import {
  CurrentRun,
  type Errors,
  type McpConnector,
  Run,
  ServerText,
  Workers,
} from "@quartermaster/core";
import { Effect } from "effect";
import type { Refusal } from "./Refusals.ts";
import type { CallingWorker } from "./ServiceTool.ts";

/** The runs that calls act for, and the results of calls that such a run may not make. */

export interface Result extends McpConnector.ToolResult {
  readonly _meta?: Readonly<Record<string, unknown>>;
}

interface Ended {
  readonly runId: string;
  readonly reason: Run.StopReason;
}

/** The member of `_meta` by which hosts recognize a stop. */
export const stopOf = ({ reason, runId }: Ended) => ({ "quartermaster/stop": { runId, reason } });

/** The result of a granted tool whose run has ended or has to stop. */
export const notSent = (ended: Ended, caller: CallingWorker | null): Result => {
  const words = Run.reasonInWords[ended.reason].replace(/\bits\b/, "your");
  const advice = caller?.worker.runId == null ? "Call work_turn." : "Stop.";
  return {
    content: [{ type: "text", text: `${ServerText.prefix} Not sent: ${words}. ${advice}` }],
    isError: true,
    _meta: stopOf(ended),
  };
};

/** The result of a call under `once` whose earlier equal call has an unknown end. */
export const notSentAgain = ({ advice, explanation }: Errors.ToolUnavailable): Result => ({
  content: [{ type: "text", text: `${ServerText.prefix} ${advice ?? explanation}` }],
  isError: true,
});

/** The run because of which the gateway refused a call; undefined for another refusal. */
export const endedIn = (refusal: Refusal): Ended | undefined => {
  if (refusal._tag === "RunEnded") return refusal;
  return refusal._tag === "ToolUnavailable" && refusal.reason === "runEnded"
    ? refusal.run
    : undefined;
};

/** The refusal of a call by a worker that holds several runs and names none. */
export const several = (runIds: ReadonlyArray<string>) => ({
  error: "tool-unavailable",
  detail: `This process holds several runs: ${runIds.join(", ")}. Hand in all but one with work_finish and their runId, or name one in the header Quartermaster-Run.`,
  reason: "noRun",
  runIds,
});

/**
 * Returns the run that a call acts for: the run that it names, otherwise the live run of its worker, or the ended
 * one that fences the worker.
 */
export const make = Effect.gen(function* () {
  const workers = yield* Workers.Workers;

  return Effect.fnUntraced(function* (caller: CallingWorker | null) {
    const none: ReadonlyArray<string> = [];
    if (caller === null) return { run: yield* CurrentRun.CurrentRun, several: none };
    const { agentId, worker } = caller;
    return worker.runId === null
      ? yield* workers.acting(agentId, worker)
      : { run: { id: worker.runId, agentId }, several: none };
  });
});
