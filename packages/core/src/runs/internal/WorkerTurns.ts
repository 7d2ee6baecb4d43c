import { Effect } from "effect";
import type { Forbidden } from "../../access/AccessErrors.ts";
import type { CurrentPrincipal } from "../../access/Principal.ts";
import { type NoRun, RunEnded } from "../../agents/AgentErrors.ts";
import type { StopReason } from "../../agents/Run.ts";
import type { InvalidRequest, NotFound, StorageError } from "../../CommonErrors.ts";
import * as Span from "../../internal/Span.ts";
import type { Held } from "../../issues/IssueErrors.ts";
import * as Timestamp from "../../Timestamp.ts";
import type { UsageKey } from "../../usage/UsageErrors.ts";
import type { Finish, Turn } from "../Heartbeat.ts";
import { Runs } from "../Runs.ts";
import { RunUsage } from "../RunUsage.ts";
import type { Worker, WorkerTurn } from "./Worker.ts";
import * as WorkerFence from "./WorkerFence.ts";
import type { make as makeWorkerRuns } from "./WorkerRuns.ts";

type Denied = Forbidden | NotFound | StorageError;

/** Turns and finishes of workers, and the stops that they acknowledge. */
export const make = Effect.fnUntraced(function* ({
  acknowledge,
  namedRun,
  onlyRun,
  runsOf,
}: Effect.Success<typeof makeWorkerRuns>) {
  const runs = yield* Runs;
  const { report } = yield* RunUsage;

  const notices = Effect.fnUntraced(function* (agentId: string, worker: Worker) {
    const now = yield* Timestamp.now;
    return WorkerFence.notices(worker, yield* runsOf(agentId, worker), now);
  });

  /** The stop of a call that does not say which of the processes that share the worker made it. */
  const sharedStop = Effect.fnUntraced(function* (
    agentId: string,
    worker: Worker,
    runId: string | undefined,
  ) {
    if (!worker.isShared || runId !== undefined) return undefined;
    return (yield* notices(agentId, worker))[0];
  });

  /** Counts the usage of a turn or hand-in that the stop refuses. */
  const recordUsage = (agentId: string, runId: string, usage: (typeof Turn.Encoded)["usage"]) =>
    usage == null || usage.length === 0
      ? Effect.void
      : Effect.catchTag(
          report(agentId, runId, { usage }),
          ["NotFound", "RunEnded"],
          () => Effect.void,
        );

  const runFor = (agentId: string, worker: Worker, runId: string | undefined) =>
    runId === undefined ? onlyRun(agentId, worker) : namedRun(agentId, worker, runId);

  const turn = Span.fn("Workers.turn")(function* (
    agentId: string,
    worker: Worker,
    runId?: string,
    input?: typeof Turn.Encoded,
  ): Effect.fn.Return<
    WorkerTurn,
    Denied | Held | InvalidRequest | NoRun | UsageKey,
    CurrentPrincipal
  > {
    const stopped = (runId: string, reason: StopReason): WorkerTurn => ({
      action: "stop",
      reason,
      comments: [],
      changes: [],
      runId,
    });
    const stop = yield* sharedStop(agentId, worker, runId);
    if (stop !== undefined) {
      yield* recordUsage(agentId, stop.runId, input?.usage);
      return stopped(stop.runId, stop.reason);
    }
    const run = yield* runFor(agentId, worker, runId);
    const answer = yield* runs.turn(agentId, run.id, input).pipe(
      Effect.map(({ toolsRevision: _, ...rest }) => ({ ...rest, runId: run.id })),
      Effect.catchTag("RunEnded", ({ reason }) => Effect.succeed(stopped(run.id, reason))),
    );
    if (answer.action === "stop") yield* acknowledge(worker, run);
    return answer;
  });

  const finish = Span.fn("Workers.finish")(function* (
    agentId: string,
    worker: Worker,
    input: typeof Finish.Encoded,
    runId?: string,
  ) {
    const stop = yield* sharedStop(agentId, worker, runId);
    if (stop !== undefined) {
      yield* recordUsage(agentId, stop.runId, input.usage);
      return yield* new RunEnded(stop);
    }
    const run = yield* runFor(agentId, worker, runId);
    return yield* Effect.tapErrorTag(runs.finish(agentId, run.id, input), "RunEnded", () =>
      acknowledge(worker, run),
    );
  });

  return { notices, turn, finish };
});
