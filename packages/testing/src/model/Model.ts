/**
 * The contract in its simplest form: no storage, no transactions, no services. It derives from the
 * text of the contract and not from the code, so that each can be checked against the other.
 * Issues, links, runs and agents are numbers in creation order; time is in seconds.
 */

export type Status =
  | "Open"
  | "InProgress"
  | "WaitingOnDependency"
  | "PendingReview"
  | "Resolved"
  | "Closed";
export type Priority = "urgent" | "high" | "normal" | "low";
export const priorities: ReadonlyArray<Priority> = ["urgent", "high", "normal", "low"];

export type Because = "person" | "failed" | "tooManyAttempts";

/** The default number of attempts after which an issue is paused. */
const maxAttempts = 3;

/** An issue's own fields: changing one of them changes the version. */
export interface Fields {
  status: Status;
  priority: Priority;
  agent: number | null;
  /** The reason of the pause; null if the issue is not paused. */
  because: Because | null;
  /** The number of runs that died or failed. */
  attempts: number;
  notBefore: number | null;
}

export interface ModelIssue extends Fields {
  readonly n: number;
  /** Whether the issue was resumed and not claimed since. */
  resumed: boolean;
  version: number;
  updatedAt: number;
  startedAt: number | null;
  resolvedAt: number | null;
  closedAt: number | null;
  /** The author of each comment: an agent, or null for a user. */
  readonly comments: Array<number | null>;
  /** The last submission for review: its agent, its run and the number of comments at that time. */
  review: Review | null;
}

export interface Review {
  /** Null for a user. */
  readonly agent: number | null;
  /** Null for an agent without a run. */
  readonly run: number | null;
  readonly comments: number;
}

export interface ModelLink {
  readonly n: number;
  readonly relation: "Blocks" | "RelatedTo" | "DuplicateOf";
  readonly source: number;
  readonly target: number;
}

export interface ModelRun {
  readonly n: number;
  readonly agent: number;
  readonly issue: number;
  readonly attempt: number;
  state: "active" | "stopping" | "ended";
  leaseSeconds: number;
  leaseUntil: number;
  reason: string | null;
  /** The number of the issue's comments that the run has received. */
  seen: number;
}

export interface Move {
  readonly issue: number;
  readonly from: Status;
  readonly to: Status;
}

export interface Model {
  now: number;
  readonly issues: Map<number, ModelIssue>;
  readonly links: Map<number, ModelLink>;
  readonly runs: Map<number, ModelRun>;
  /** The time of the last heartbeat of each registered agent. */
  readonly agents: Map<number, number | null>;
  /** The paused agents. */
  readonly pausedAgents: Set<number>;
  /** Whether the project is paused. */
  projectPaused: boolean;
  readonly made: { issues: number; links: number };
  /** The status changes of the current command, in order. */
  moves: Array<Move>;
}

export const make = (): Model => ({
  now: 0,
  issues: new Map(),
  links: new Map(),
  runs: new Map(),
  agents: new Map(),
  pausedAgents: new Set(),
  projectPaused: false,
  made: { issues: 0, links: 0 },
  moves: [],
});

export const isOpen = (status: Status): boolean => status !== "Resolved" && status !== "Closed";

const neighbours = (model: Model, n: number, end: "source" | "target") =>
  [...model.links.values()]
    .filter((link) => link.relation === "Blocks" && link[end] === n)
    .flatMap((link) => model.issues.get(end === "source" ? link.target : link.source) ?? []);

export const openBlockers = (model: Model, n: number): ReadonlyArray<ModelIssue> =>
  neighbours(model, n, "target").filter(({ status }) => isOpen(status));

export const dependents = (model: Model, n: number): ReadonlyArray<ModelIssue> =>
  neighbours(model, n, "source");

export const isLive = (model: Model, run: ModelRun): boolean =>
  run.state !== "ended" && run.leaseUntil > model.now;

export const liveRun = (model: Model, n: number): ModelRun | undefined =>
  [...model.runs.values()].find((run) => run.issue === n && isLive(model, run));

export const register = (model: Model, agent: number | null): void => {
  if (agent !== null && !model.agents.has(agent)) model.agents.set(agent, null);
};

/** Orders the run that holds the issue, if any, to stop. The first reason is retained. */
export const stop = (model: Model, n: number, reason: string): void => {
  const run = liveRun(model, n);
  if (run?.state === "active") Object.assign(run, { state: "stopping", reason });
};

/** Records a submission for review. */
export const handIn = (issue: ModelIssue, agent: number | null, run: number | null): void => {
  issue.review = { agent, run, comments: issue.comments.length };
};

/** Changes an issue's own fields, and updates its timestamps and dependents. */
export const change = (model: Model, issue: ModelIssue, fields: Partial<Fields>): void => {
  const before = { ...issue };
  const from = before.status;
  Object.assign(issue, fields);
  const to = issue.status;
  const own = ["status", "priority", "agent", "because", "attempts", "notBefore"] as const;
  if (own.every((name) => before[name] === issue[name])) return;
  issue.version += 1;
  issue.updatedAt = model.now;
  if (from === to) return;
  model.moves.push({ issue: issue.n, from, to });
  issue.resumed = false;
  if (to === "InProgress") issue.startedAt ??= model.now;
  if (to === "Resolved") issue.resolvedAt = model.now;
  if (isOpen(to)) issue.resolvedAt = null;
  issue.closedAt = to === "Closed" ? model.now : null;
  if (isOpen(from) && !isOpen(to)) freeDependents(model, issue.n);
  if (!isOpen(from) && isOpen(to)) holdDependents(model, issue.n);
};

/** Opens the dependents of an issue that no longer blocks, if they waited only for it. */
const freeDependents = (model: Model, n: number): void => {
  for (const dependent of dependents(model, n)) {
    if (dependent.status === "WaitingOnDependency" && openBlockers(model, dependent.n).length === 0)
      change(model, dependent, { status: "Open" });
  }
};

/**
 * Blocks the dependents of a reopened issue that are Open and have no live run. Others keep their
 * status.
 */
const holdDependents = (model: Model, n: number): void => {
  for (const dependent of dependents(model, n)) {
    if (dependent.status === "Open" && liveRun(model, dependent.n) === undefined)
      change(model, dependent, { status: "WaitingOnDependency" });
  }
};

/** Updates the status of `n` after it may have lost a blocker. */
export const blockersFewer = (model: Model, n: number): void => {
  const issue = model.issues.get(n);
  if (issue?.status === "WaitingOnDependency" && openBlockers(model, n).length === 0)
    change(model, issue, { status: "Open" });
};

/** The status of an issue after its run releases it. */
export const free = (model: Model, issue: ModelIssue): Status =>
  openBlockers(model, issue.n).length > 0 ? "WaitingOnDependency" : "Open";

/** Counts a run that died or failed at the time `at` on its issue. */
export const attempted = (model: Model, issue: ModelIssue, at: number): Partial<Fields> => {
  const attempts = issue.attempts + 1;
  if (attempts >= maxAttempts) {
    const status = free(model, issue);
    return { attempts, notBefore: null, because: "tooManyAttempts", status };
  }
  return { attempts, notBefore: attempts === 1 ? null : at + 60 * 2 ** (attempts - 2) };
};

/** Ends a run whose lease expired. Counts an attempt on the issue, unless the run had to stop. */
export const expire = (model: Model, run: ModelRun | undefined): void => {
  if (run === undefined || run.state === "ended" || isLive(model, run)) return;
  const issue = model.issues.get(run.issue);
  if (run.state === "active" && issue !== undefined) {
    change(model, issue, attempted(model, issue, run.leaseUntil));
  }
  Object.assign(run, { state: "ended", reason: "leaseExpired" });
};

/** The issue's run that has not ended. Its lease may have expired. */
export const runOf = (model: Model, n: number): ModelRun | undefined =>
  [...model.runs.values()].find((run) => run.issue === n && run.state !== "ended");

/** The issue after the expiry of its run's lease is recorded. */
export const recorded = (model: Model, issue: ModelIssue): ModelIssue => {
  const run = runOf(model, issue.n);
  return run?.state === "active" && !isLive(model, run)
    ? { ...issue, ...attempted(model, issue, run.leaseUntil) }
    : issue;
};

/** The codes of the reasons why no agent works on the issue, as in the readiness response. */
export const obstacles = (model: Model, issue: ModelIssue): ReadonlyArray<string> => {
  const codes: Array<string> = [];
  if (issue.status !== "Open" && issue.status !== "InProgress") codes.push("notOpen");
  if (issue.because !== null) codes.push("paused");
  if (issue.because === "tooManyAttempts") codes.push("tooManyAttempts");
  if (issue.notBefore !== null && issue.notBefore > model.now) codes.push("notBefore");
  if (openBlockers(model, issue.n).length > 0) codes.push("blocked");
  if (issue.agent !== null && model.pausedAgents.has(issue.agent)) codes.push("agentPaused");
  if (model.projectPaused) codes.push("projectPaused");
  if (issue.agent === null) codes.push("unassigned");
  if (liveRun(model, issue.n) !== undefined) codes.push("running");
  return codes;
};
