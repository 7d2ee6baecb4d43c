import { type Answer, refused, sorted } from "./Answer.ts";
import * as M from "./Model.ts";
import { viewIssue } from "./ModelView.ts";

/** What the contract says of heartbeats, turns and finishing. */

/** The runs of an agent that a heartbeat names. */
export const named = (model: M.Model, agent: number, runs: "own" | "none" | "all") =>
  [...model.runs.values()].filter(
    (run) => runs === "all" || (runs === "own" && run.agent === agent && run.state !== "ended"),
  );

/** The issues that the agent would claim, in order. */
export const claimable = (model: M.Model, agent: number): ReadonlyArray<M.ModelIssue> =>
  [...model.issues.values()]
    .filter((issue) => issue.agent === agent && M.obstacles(model, issue).length === 0)
    .toSorted(
      (a, b) =>
        Number(b.resumed) - Number(a.resumed) ||
        M.priorities.indexOf(a.priority) - M.priorities.indexOf(b.priority) ||
        a.n - b.n,
    );

const expire = (model: M.Model, run: M.ModelRun): void => {
  if (run.state !== "ended" && !M.isLive(model, run))
    Object.assign(run, { state: "ended", reason: "leaseExpired" });
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
  for (const run of model.runs.values()) expire(model, run);
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
  const started = claimable(model, agent)
    .slice(0, capacity)
    .map((issue) => {
      const n = model.runs.size;
      model.runs.set(n, {
        n,
        agent,
        issue: issue.n,
        state: "active",
        leaseSeconds,
        leaseUntil: model.now + leaseSeconds,
        reason: null,
        seen: issue.comments.length,
      });
      M.change(model, issue, { status: "InProgress" });
      issue.resumed = false;
      return { run: n, leaseUntil: model.now + leaseSeconds, issue: viewIssue(model, issue) };
    });
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

/** The run, if it is the agent's and has not ended; a refusal otherwise. */
const held = (model: M.Model, agent: number, n: number): M.ModelRun | Answer => {
  if (!model.agents.has(agent)) return refused("NotFound", "agent");
  const run = model.runs.get(n);
  if (run?.agent !== agent) return refused("NotFound", "run");
  expire(model, run);
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

/** What a finished run answers to who asks it again. */
const reasons = {
  resolved: "resolved",
  review: "statusChanged",
  released: "statusChanged",
  failed: "paused",
} as const;

export const finish = (
  model: M.Model,
  input: {
    readonly agent: number;
    readonly run: number;
    readonly outcome: keyof typeof reasons;
    readonly comment: boolean;
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
  Object.assign(run, { state: "ended", reason: reasons[input.outcome] });
  const free = M.openBlockers(model, issue.n).length > 0 ? "WaitingOnDependency" : "Open";
  const { outcome } = input;
  const status =
    outcome === "resolved" ? "Resolved" : outcome === "review" ? "PendingReview" : free;
  M.change(model, issue, { status, paused: outcome === "failed" });
  return { did: "issue", issue: viewIssue(model, issue) };
};
