import { Effect, Option } from "effect";
import { CurrentKey } from "../../access/CurrentKey.ts";
import type { CurrentPrincipal } from "../../access/Principal.ts";
import { RunEnded } from "../../agents/AgentErrors.ts";
import { CurrentProcess } from "../../agents/CurrentProcess.ts";
import { isLive, type RunRow } from "../../agents/Run.ts";
import * as RunEnd from "../../agents/RunEnd.ts";
import { RunStore } from "../../agents/RunStore.ts";
import { InvalidRequest, NotFound, type StorageError } from "../../CommonErrors.ts";
import { EventLog } from "../../events/EventLog.ts";
import * as Id from "../../Id.ts";
import { IssueStore } from "../../issues/IssueStore.ts";
import { LeaseExpiry } from "../../issues/LeaseExpiry.ts";
import { Timeline } from "../../issues/Timeline.ts";
import * as Timestamp from "../../Timestamp.ts";
import { processOf } from "./Claims.ts";
import type { Worker } from "./Worker.ts";
import * as WorkerFence from "./WorkerFence.ts";
import { lastSeenAt, type make as makeWorkerRuns } from "./WorkerRuns.ts";

/** The seconds without a renewal after which another worker may take a run over. */
const silentSeconds = 60;

/** The outcome of a takeover. `ended` must commit, so it is a value and not a failure. */
export type Taken =
  | { readonly run: Omit<RunRow, "seq"> }
  | { readonly ended: RunEnded }
  | { readonly busy: ReadonlyArray<RunRow>; readonly retryAfterSeconds: number };

/** Returns how a worker takes over an active run of its agent, inside the caller's transaction. */
export const make = Effect.fnUntraced(function* ({
  lift,
  ownRun,
  runsOf,
}: Pick<Effect.Success<typeof makeWorkerRuns>, "lift" | "ownRun" | "runsOf">) {
  const store = yield* RunStore;
  const expiry = yield* LeaseExpiry;
  const issues = yield* IssueStore;
  const timeline = yield* Timeline;
  const events = yield* EventLog;
  const end = yield* RunEnd.make;
  const newId = yield* Id.generator;

  const busy = (runs: ReadonlyArray<RunRow>, retryAfterSeconds: number): Taken => ({
    busy: runs,
    retryAfterSeconds,
  });

  /** Starts the run that continues `old`, and reports both. */
  const replace = Effect.fnUntraced(function* (
    old: RunRow,
    worker: Worker,
    leaseSeconds: number,
    now: Timestamp.Timestamp,
  ) {
    const id = yield* newId("run");
    const actor = { type: "Agent" as const, id: old.agentId };
    const issue = { id: old.issueId, projectId: old.projectId, key: old.issueKey };
    yield* timeline.record(actor, [
      { issue, kind: "stopped", data: { runId: old.id, reason: "takenOver", newRunId: id } },
      { issue, kind: "pickedUp", data: { runId: id, agentId: old.agentId } },
    ]);
    yield* end(old, { reason: "takenOver", outcome: null }, now);
    const { seq: _, ...rest } = old;
    const run = {
      ...rest,
      id,
      startedAt: now,
      leaseSeconds,
      leaseExpiresAt: Timestamp.addSeconds(now, leaseSeconds),
      worker: worker.id,
      releaseAt: null,
      keyId: yield* CurrentKey,
      process: processOf(worker.id, yield* CurrentProcess),
      note: null,
    };
    yield* store.insert([run]);
    yield* events.record([
      {
        kind: "run.takenOver",
        projectId: old.projectId,
        relatedProjectId: null,
        subjectId: old.id,
        actor,
        data: { issueId: old.issueId, agentId: old.agentId, newRunId: id },
      },
    ]);
    return run;
  });

  return Effect.fnUntraced(function* (
    agentId: string,
    worker: Worker,
    runId: string,
    leaseSeconds: number | undefined,
  ): Effect.fn.Return<Taken, InvalidRequest | NotFound | StorageError, CurrentPrincipal> {
    if (worker.runId !== null) {
      return yield* InvalidRequest.at(
        "runId",
        "cannot be taken over by a request that names a run; omit Quartermaster-Run",
      );
    }
    const now = yield* Timestamp.now;
    const old = yield* ownRun(agentId, runId);
    if (old === null) return yield* new NotFound({ resource: "run", id: runId });
    if (old.status !== "active" || !isLive(old, now)) {
      if (old.status !== "ended" && !isLive(old, now)) yield* expiry.record(old, now);
      return { ended: new RunEnded({ runId, reason: WorkerFence.reasonOf(old, now) }) };
    }
    const known = yield* runsOf(agentId, worker);
    const others = known.filter((run) => run.id !== runId && isLive(run, now));
    if (others.length > 0) return busy(others, 30);
    const isOwn = old.worker === worker.id && !worker.isShared;
    const silent = Timestamp.secondsBetween(lastSeenAt(old), now);
    if (!isOwn && silent < silentSeconds) {
      return busy([old], Math.ceil(silentSeconds - silent));
    }
    const { callUntil = null } = Option.getOrUndefined(yield* issues.facts(old.issueId, now)) ?? {};
    if (callUntil !== null && callUntil > now) {
      return busy([old], Math.ceil(Timestamp.secondsBetween(now, callUntil)));
    }
    const run = yield* replace(old, worker, leaseSeconds ?? old.leaseSeconds, now);
    yield* lift(worker, known);
    return { run };
  });
});
