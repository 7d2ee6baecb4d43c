import type { Methods } from "../contract/Methods.ts";
import type { Finish, HeartbeatAnswer, Issue, Turn } from "../contract/Schemas.ts";
import { isProblem, Problem, Unreachable } from "../Problem.ts";
import { type RemoteTask, Stopped } from "../Task.ts";
import { now, sleep } from "./Platform.ts";
import { actingFor } from "./Requests.ts";

/**
 * A run that this program holds.
 *
 * - `held`: heartbeats and turns renew its lease.
 * - `stopping`: the server stops it. Its signal is aborted, and its lease is not renewed.
 * - `gone`: it was handed in, a turn or finish acknowledged the stop, or its lease expired.
 */
export interface Run {
  readonly task: RemoteTask;
  /**
   * The expiry of the lease on this program's clock, counted from the sending of the request. It is
   * never later than the server's.
   */
  expiresAt: number;
  /** Aborts the task's signal. */
  abort(reason: unknown): void;
}

type Started = HeartbeatAnswer["started"][number];

/** Milliseconds between two attempts while the server is unreachable. */
export const retryPause = 1_000;
/** Milliseconds for which a call is retried after the loop has stopped. */
const farewell = 3_000;

/** Whether the same call may succeed later. */
export const isAway = (error: unknown): boolean =>
  error instanceof Unreachable ||
  (error instanceof DOMException && error.name === "TimeoutError") ||
  (error instanceof Problem && (error.status === 429 || error.status >= 500));

/** The time limit of a call. It leaves time for a retry before the lease expires. */
export const timeout = (leaseSeconds: number): AbortSignal =>
  AbortSignal.timeout(Math.min(30_000, leaseSeconds * 500));

export const pauseAfter = (error: unknown): number =>
  error instanceof Problem ? Math.max(retryPause, (error.retryAfter ?? 0) * 1_000) : retryPause;

/** The interface of the loop that its runs use. */
export interface Keeper {
  readonly methods: Methods;
  readonly agentId: string;
  readonly leaseSeconds: number;
  isOver(): boolean;
  /** Reports that the run is gone. `outcome` is null if it was not handed in. */
  gone(runId: string, outcome: Finish["outcome"] | null): void;
}

/** Retries `attempt` until it succeeds, fails permanently, or the lease has expired. */
const whileHeld = async <A>(
  keeper: Keeper,
  run: Run,
  attempt: (isRepeated: boolean) => Promise<A>,
): Promise<A> => {
  const startedAt = now();
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      return await attempt(isRepeated);
    } catch (error) {
      const latest = keeper.isOver() ? startedAt + farewell : Number.POSITIVE_INFINITY;
      const pause = pauseAfter(error);
      if (!isAway(error) || now() + pause > Math.min(run.expiresAt, latest)) throw error;
      await sleep(pause);
    }
  }
};

/** The issue, if a finish with a lost response already handed it in; null otherwise. */
const handedIn = async (
  { agentId, methods }: Keeper,
  { issue, runId }: Started,
  outcome: Finish["outcome"],
): Promise<Issue | null> => {
  for await (const run of methods.agents.runs({ agentId, status: "ended" })) {
    if (run.id !== runId) continue;
    // Some projects let agents hand in for review only: there `resolved` is stored as `review`.
    const isCounted =
      run.outcome === outcome || (outcome === "resolved" && run.outcome === "review");
    return isCounted ? await methods.issues.get({ issueId: issue.id }) : null;
  }
  return null;
};

export const make = (keeper: Keeper, started: Started, sentAt: number): Run => {
  const { agentId, leaseSeconds, methods } = keeper;
  const { issue, runId } = started;
  const controller = new AbortController();
  const acting = { headers: actingFor(runId) };
  const bounded = () => ({ ...acting, signal: timeout(leaseSeconds) });

  const stopped = (stop: Stopped) => {
    controller.abort(stop);
    keeper.gone(runId, null);
    return stop;
  };

  const turn = async (report: Turn = {}) => {
    const sentAt = now();
    const answer = await methods.agents
      .turn({ agentId, runId, ...report }, bounded())
      .catch((error: unknown) => {
        throw isProblem(error, "run-ended") ? stopped(new Stopped(error.members.reason)) : error;
      });
    if (answer.action === "stop") {
      throw stopped(new Stopped(answer.reason ?? "unknown", answer.comments));
    }
    run.expiresAt = sentAt + leaseSeconds * 1_000;
    return answer;
  };

  const finish = async (input: Finish, isRepeated: boolean) => {
    const { outcome } = input;
    try {
      const issue = await methods.agents.finish({ agentId, runId, ...input }, bounded());
      keeper.gone(runId, outcome);
      return issue;
    } catch (error) {
      if (!isProblem(error, "run-ended")) throw error;
      const issue = isRepeated ? await handedIn(keeper, started, outcome) : null;
      if (issue === null) throw stopped(new Stopped(error.members.reason));
      keeper.gone(runId, outcome);
      return issue;
    }
  };

  let logNext = 0;
  /** Entries have the writer's own numbers, so each waits for the one before. */
  let logged: Promise<unknown> = Promise.resolve();
  const log = async (text: string) => {
    const entries = [{ stream: "host" as const, text }];
    const body = { agentId, runId, writer: "task", from: logNext, entries };
    logNext = (await methods.runs.writeLog(body, bounded())).next;
  };

  const run: Run = {
    expiresAt: sentAt + leaseSeconds * 1_000,
    abort: (reason) => controller.abort(reason),
    task: {
      runId,
      issue,
      started,
      signal: controller.signal,
      get leaseRemaining() {
        return run.expiresAt - now();
      },
      turn: (report) => whileHeld(keeper, run, () => turn(report)),
      finish: (input) => whileHeld(keeper, run, (isRepeated) => finish(input, isRepeated)),
      comment: (content) =>
        methods.comments.create({ issueId: issue.id, content, authorType: "Agent" }, acting),
      attach: (file) => methods.attachments.upload({ issueId: issue.id, ...file }, acting),
      ask: (question) => methods.questions.ask({ issueId: issue.id, ...question }, acting),
      note: (note) => whileHeld(keeper, run, () => turn({ note })),
      log: (text) => {
        const entry = text.endsWith("\n") ? text : `${text}\n`;
        const written = logged.then(() => whileHeld(keeper, run, () => log(entry)));
        logged = written.catch(() => {});
        return written;
      },
      comments: (request = {}) => methods.comments.list({ issueId: issue.id, ...request }, acting),
      tools: () => methods.tools.list({ agentId }, acting),
      call: (name, args = {}, options = {}) =>
        methods.tools.call({ agentId, name, arguments: args }, { ...acting, ...options }),
    },
  };
  return run;
};
