import { type Answer, refused, sorted } from "./Answer.ts";
import * as M from "./Model.ts";
import { viewIssue } from "./ModelView.ts";

/** The contract's rules for heartbeats, turns and finishing. */

/** The runs of an agent that a heartbeat names. */
export const named = (model: M.Model, agent: number, runs: "own" | "none" | "all") =>
  [...model.runs.values()].filter(
    (run) => runs === "all" || (runs === "own" && run.agent === agent && run.state !== "ended"),
  );

/** The issues that the agent would claim, in claim order. */
export const claimable = (model: M.Model, agent: number): ReadonlyArray<M.ModelIssue> =>
  [...model.issues.values()]
    .filter((issue) => issue.agent === agent && M.obstacles(model, issue).length === 0)
    .toSorted(
      (a, b) =>
        Number(b.resumed) - Number(a.resumed) ||
        M.priorities.indexOf(a.priority) - M.priorities.indexOf(b.priority) ||
        a.n - b.n,
    );

const start = (
  model: M.Model,
  issue: M.ModelIssue,
  { agent, leaseSeconds }: { readonly agent: number; readonly leaseSeconds: number },
) => {
  const n = model.runs.size;
  const leaseUntil = model.now + leaseSeconds;
  const attempt = issue.attempts + 1;
  const seen = issue.comments.length;
  const run = { n, agent, issue: issue.n, attempt, leaseSeconds, leaseUntil, seen };
  model.runs.set(n, { ...run, state: "active", reason: null });
  M.change(model, issue, { status: "InProgress", notBefore: null });
  issue.resumed = false;
  return {
    run: n,
    leaseUntil,
    attempt,
    issue: viewIssue(model, issue),
    comments: Math.min(20, seen),
  };
};

export const heartbeat = (
  model: M.Model,
  input: {
    readonly agent: number;
    readonly capacity: number;
    readonly leaseSeconds: number;
    readonly runs: ReadonlyArray<number>;
  },
): Answer => {
  const { agent, capacity, leaseSeconds } = input;
  const asked = (run: M.ModelRun) => input.runs.includes(run.n);
  model.agents.set(agent, model.now);
  for (const run of model.runs.values()) if (run.agent === agent) M.expire(model, run);
  const stop: Array<{ run: number; issue: number | null; reason: string | null }> = [];
  const renewed: Array<number> = [];
  for (const run of model.runs.values()) {
    if (run.agent !== agent) {
      if (asked(run)) stop.push({ run: run.n, issue: null, reason: "unknown" });
    } else if (run.state === "active") {
      if (!asked(run)) continue;
      Object.assign(run, { leaseSeconds, leaseUntil: model.now + leaseSeconds });
      renewed.push(run.n);
    } else if (run.state === "stopping" || asked(run)) {
      stop.push({ run: run.n, issue: run.issue, reason: run.reason });
    }
  }
  const started: Array<unknown> = [];
  for (const issue of claimable(model, agent)) {
    if (started.length === capacity) break;
    M.expire(model, M.runOf(model, issue.n));
    if (M.obstacles(model, issue).length === 0) started.push(start(model, issue, input));
  }
  const until = model.now + leaseSeconds;
  return {
    did: "heartbeat",
    started,
    renewed: sorted(renewed).map((run) => ({ run, leaseUntil: until })),
    stop,
  };
};

const unseen = (model: M.Model, run: M.ModelRun): number => {
  const comments = model.issues.get(run.issue)?.comments ?? [];
  return comments.slice(run.seen).filter((author) => author !== run.agent).length;
};

/** The run, if it belongs to the agent and has not ended; otherwise a refusal. */
const held = (model: M.Model, agent: number, n: number): M.ModelRun | Answer => {
  if (!model.agents.has(agent)) return refused("NotFound", "agent");
  const run = model.runs.get(n);
  if (run?.agent !== agent) return refused("NotFound", "run");
  M.expire(model, run);
  return run.state === "ended" ? refused("RunEnded", run.reason) : run;
};

export const turn = (
  model: M.Model,
  input: { readonly agent: number; readonly run: number },
): Answer => {
  const run = held(model, input.agent, input.run);
  if ("did" in run) return run;
  const comments = unseen(model, run);
  if (run.state === "stopping") {
    run.state = "ended";
    return { did: "turn", action: "stop", reason: run.reason, comments };
  }
  run.leaseUntil = model.now + run.leaseSeconds;
  run.seen = model.issues.get(run.issue)?.comments.length ?? 0;
  return { did: "turn", action: "continue", reason: null, comments };
};

/** The reason that a repeated finish reports, by outcome of the first. */
export const reasons = {
  resolved: "resolved",
  review: "statusChanged",
  released: "statusChanged",
  failed: "paused",
} as const;

/** Applies a finish to the issue. */
export const handedIn = (
  model: M.Model,
  issue: M.ModelIssue,
  { later, outcome }: { readonly outcome: keyof typeof reasons; readonly later: boolean },
): Partial<M.Fields> => {
  const free = M.free(model, issue);
  const attempts = issue.attempts + 1;
  switch (outcome) {
    case "resolved":
      return { status: "Resolved", attempts: 0, notBefore: null };
    case "review":
      return { status: "PendingReview", attempts: 0, notBefore: null };
    case "released":
      return { status: free, attempts: 0, notBefore: later ? model.now + 90 : null };
    case "failed":
      return later
        ? M.attempted(model, issue, model.now)
        : { status: free, attempts, notBefore: null, because: "failed" };
  }
};

export const finish = (
  model: M.Model,
  input: {
    readonly agent: number;
    readonly run: number;
    readonly outcome: keyof typeof reasons;
    readonly comment: boolean;
    /** Whether the issue is retried later: `retry`, or `retryAfterSeconds` of 90. */
    readonly later: boolean;
  },
): Answer => {
  const run = held(model, input.agent, input.run);
  if ("did" in run) return run;
  if (run.state === "stopping") {
    run.state = "ended";
    return refused("RunEnded", run.reason);
  }
  const issue = model.issues.get(run.issue);
  if (issue === undefined) return refused("an active run of no issue");
  if (input.comment) issue.comments.push(run.agent);
  run.state = "ended";
  if (input.outcome === "review") M.handIn(issue, run.agent, run.n);
  M.change(model, issue, handedIn(model, issue, input));
  const isPaused = input.outcome !== "failed" || issue.because !== null;
  run.reason = isPaused ? reasons[input.outcome] : "statusChanged";
  return { did: "issue", issue: viewIssue(model, issue) };
};
