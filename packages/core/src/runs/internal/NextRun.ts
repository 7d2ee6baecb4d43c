import { Effect, Option } from "effect";
import type { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import type { RunEnded } from "../../agents/AgentErrors.ts";
import { Agents } from "../../agents/Agents.ts";
import { AgentStore } from "../../agents/AgentStore.ts";
import { isLive, type RunRow } from "../../agents/Run.ts";
import { RunStore } from "../../agents/RunStore.ts";
import {
  type InvalidRequest,
  type LimitExceeded,
  NotFound,
  type StorageError,
} from "../../CommonErrors.ts";
import * as Span from "../../internal/Span.ts";
import { IssueStore } from "../../issues/IssueStore.ts";
import { LeaseExpiry } from "../../issues/LeaseExpiry.ts";
import { ProjectStore } from "../../issues/ProjectStore.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { type ClaimRequest, Claims } from "./Claims.ts";
import * as Takeover from "./Takeover.ts";
import { type Next, type NextOptions, type OtherRun, toHeld, type Worker } from "./Worker.ts";
import { lastSeenAt, type make as makeWorkerRuns } from "./WorkerRuns.ts";

type Denied = Forbidden | NotFound | StorageError;
type CurrentPrincipal = Principal.CurrentPrincipal;

const defaultLeaseSeconds = 900;

/** Seconds after which a worker that found nothing should ask again. */
const idleSeconds = 30;

const toOther = (run: RunRow): OtherRun => ({
  ...toHeld(run),
  startedAt: run.startedAt,
  lastSeenAt: lastSeenAt(run),
});

const nothing = (
  reason: Extract<Next, { readonly run: null }>["reason"],
  retryAfterSeconds: number,
  others: ReadonlyArray<RunRow> = [],
): Next => ({ run: null, reason, retryAfterSeconds, runs: others.map(toOther) });

/** Claims and takeovers of workers. */
export const make = Effect.fnUntraced(function* (held: Effect.Success<typeof makeWorkerRuns>) {
  const { lift, ofAgent, runsOf } = held;
  const issues = yield* IssueStore;
  const agents = yield* Agents;
  const agentStore = yield* AgentStore;
  const runs = yield* RunStore;
  const claims = yield* Claims;
  const expiry = yield* LeaseExpiry;
  const { isPaused } = yield* ProjectStore;
  const { transact } = yield* Transactor;
  const replace = yield* Takeover.make(held);

  /**
   * The reason why the agent has no issue to claim: deferred issues, or issues that wait for an
   * answer.
   */
  const idle = Effect.fnUntraced(function* (
    agentId: string,
    projects: ReadonlyArray<string> | null,
    projectId: string | undefined,
  ) {
    const now = yield* Timestamp.now;
    const agent = Option.getOrNull(yield* agentStore.get(agentId));
    if (agent?.paused === true) return nothing("agentPaused", idleSeconds);
    if (projectId !== undefined && (yield* isPaused(projectId))) {
      return nothing("projectPaused", idleSeconds);
    }
    const until = Option.getOrNull(yield* issues.deferredUntil(agentId, projects, now));
    if (until !== null) {
      return nothing("notBefore", Math.ceil(Timestamp.secondsBetween(now, until)));
    }
    const isAwaiting = yield* issues.isAwaiting(agentId, projects, now);
    return isAwaiting
      ? nothing("awaitingAnswer", idleSeconds)
      : nothing("nothing", idleSeconds, yield* ofAgent(agentId));
  });

  /**
   * The worker's live runs, or the run that it claims, in one transaction because calls may be
   * concurrent.
   */
  const claim = Effect.fnUntraced(function* (
    request: ClaimRequest,
    worker: Worker,
    resume: boolean,
  ) {
    const { agentId } = request;
    const now = yield* Timestamp.now;
    const known = yield* runsOf(agentId, worker);
    const running = known.filter((run) => isLive(run, now));
    const [resumed] = running;
    if (resume && resumed?.status === "active")
      yield* runs.update([{ ...resumed, resumedAt: now }]);
    if (running.length > 0 || worker.runId !== null) return { running, started: undefined };
    for (const run of known) if (run.status !== "ended") yield* expiry.record(run, now);
    const { first } = yield* claims.beat(1, request, now);
    const [started] = yield* claims.upTo(1, request, now, first);
    yield* lift(worker, known);
    return { running, started };
  });

  const next = Span.fn("Workers.next")(function* (
    id: string,
    worker: Worker,
    options: NextOptions = {},
  ): Effect.fn.Return<Next, Denied | InvalidRequest | LimitExceeded, CurrentPrincipal> {
    const { projects } = yield* Principal.requireActingFor(id);
    const { leaseSeconds = defaultLeaseSeconds, projectId, resume = false } = options;
    if (projectId !== undefined && projects !== null && !projects.includes(projectId)) {
      return yield* new NotFound({ resource: "project", id: projectId });
    }
    const agentId = yield* agents.admit(id);
    const request = { agentId, leaseSeconds, worker: worker.id, projectId };
    const { running, started } = yield* transact(claim(request, worker, resume));
    const [first] = running;
    if (running.some(({ status }) => status === "stopping")) {
      return nothing("runEnded", idleSeconds);
    }
    if (first !== undefined) {
      return worker.isShared && !resume
        ? nothing("busy", idleSeconds, running)
        : { run: toHeld(first), started: null };
    }
    if (worker.runId !== null) return nothing("runEnded", idleSeconds);
    if (started === undefined) {
      return yield* idle(agentId, projectId === undefined ? projects : [projectId], projectId);
    }
    const { attempt, issue, leaseExpiresAt, runId } = started;
    return { run: { runId, attempt, leaseExpiresAt, issueId: issue.id }, started };
  });

  const takeOver = Span.fn("Workers.takeOver")(function* (
    id: string,
    worker: Worker,
    runId: string,
    { leaseSeconds }: Pick<NextOptions, "leaseSeconds"> = {},
  ): Effect.fn.Return<Next, Denied | InvalidRequest | RunEnded, CurrentPrincipal> {
    yield* Principal.requireActingFor(id);
    const agentId = yield* agents.admit(id);
    const taken = yield* transact(replace(agentId, worker, runId, leaseSeconds));
    if ("ended" in taken) return yield* taken.ended;
    return "busy" in taken
      ? nothing("busy", taken.retryAfterSeconds, taken.busy)
      : { run: toHeld(taken.run), started: null };
  });

  return { next, takeOver };
});
