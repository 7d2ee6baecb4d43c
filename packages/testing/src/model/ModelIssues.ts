import { type Answer, nothing, refused, sorted } from "./Answer.ts";
import * as M from "./Model.ts";
import {
  type Caller,
  fenced,
  fencedChange,
  type Intent,
  refusal as refusalOf,
} from "./ModelAgents.ts";
import { handedIn, reasons } from "./ModelRuns.ts";
import { viewIssue } from "./ModelView.ts";

/** The contract's rules for creating, updating, closing, pausing, resuming and deleting issues. */

export type Match = "any" | "present" | "stale";

interface ByCaller extends Caller {
  readonly issue: number;
  readonly match: Match;
}

const show = (model: M.Model, issue: M.ModelIssue): Answer => ({
  did: "issue",
  issue: viewIssue(model, issue),
});

const blocked = (model: M.Model, n: number): Answer =>
  refused("Blocked", sorted(M.openBlockers(model, n).map((blocker) => blocker.n)));

const openDependents = (model: M.Model, n: number): ReadonlyArray<number> =>
  sorted(
    M.dependents(model, n)
      .filter(({ status }) => M.isOpen(status))
      .map((dependent) => dependent.n),
  );

/**
 * Runs `then` on the issue, unless the run of the call is over, or the issue is deleted or does not have the required
 * version.
 */
const at = (
  model: M.Model,
  input: ByCaller,
  intent: Intent,
  then: (issue: M.ModelIssue) => Answer,
): Answer => {
  const issue = model.issues.get(input.issue);
  const refusal = fencedChange(model, issue, input, intent);
  if (refusal !== null) return refusal;
  if (issue === undefined) return refused("NotFound", "issue");
  if (input.match === "stale") return refused("PreconditionFailed", issue.version);
  return then(issue);
};

/** Like `at`, after the issue's expired lease is recorded. A refusal undoes the record. */
const settled: typeof at = (model, input, intent, then) =>
  at(model, input, intent, (issue) => {
    const run = M.runOf(model, issue.n);
    const before = { issue: { ...issue }, run: { ...run }, moves: [...model.moves] };
    M.expire(model, run);
    const answer = then(issue);
    if (answer.did !== "refused") return answer;
    Object.assign(issue, before.issue);
    if (run !== undefined) Object.assign(run, before.run);
    model.moves = before.moves;
    return answer;
  });

export const create = (
  model: M.Model,
  input: {
    readonly blocker: number | null;
    readonly agent: number | null;
    readonly priority: M.Priority;
    readonly run: number | null;
  },
): Answer => {
  const refusal = fenced(model, input.run, "writes");
  if (refusal !== null) return refusal;
  const blocker = input.blocker === null ? null : model.issues.get(input.blocker);
  if (blocker === undefined) return refused("UnknownReference", "blockedByIssueId");
  M.register(model, input.agent);
  const issue: M.ModelIssue = {
    n: model.made.issues++,
    status: blocker === null ? "Open" : "WaitingOnDependency",
    priority: input.priority,
    agent: input.agent,
    because: null,
    attempts: 0,
    notBefore: null,
    resumed: false,
    version: 1,
    updatedAt: model.now,
    startedAt: null,
    resolvedAt: null,
    closedAt: null,
    comments: [],
    review: null,
  };
  model.issues.set(issue.n, issue);
  if (blocker !== null) {
    const n = model.made.links++;
    model.links.set(n, { n, relation: "Blocks", source: blocker.n, target: issue.n });
    M.blockersFewer(model, issue.n);
    issue.version = 1;
  }
  return show(model, issue);
};

/** The outcome of a run whose agent sets this status. */
const outcomes = { PendingReview: "review", Resolved: "resolved", Open: "released" } as const;

type Update = Parameters<typeof update>[1];

const updateOf = ({ agent, defer, status }: Update): Intent => ({
  kind: "update",
  status,
  isStatusOnly: agent === undefined && defer === undefined,
});

/**
 * The response to an agent's update that is refused or finishes its run; null for other updates.
 */
const byAgent = (model: M.Model, issue: M.ModelIssue, input: Update): Answer | null => {
  const { agent, by, defer, priority = issue.priority, status } = input;
  if (by === null || (status === undefined && agent === undefined && defer === undefined))
    return null;
  const refusal = refusalOf(model, issue, input, updateOf(input));
  if (refusal !== null) return refusal;
  const run = M.liveRun(model, issue.n);
  if (run === undefined) return status === "InProgress" ? refused("NoRun") : null;
  if (status !== "PendingReview" && status !== "Resolved" && status !== "Open") return null;
  if (run.state === "stopping") return refused("RunEnded", run.reason);
  const outcome = outcomes[status];
  Object.assign(run, { state: "ended", reason: reasons[outcome] });
  M.register(model, agent ?? null);
  if (outcome === "review") M.handIn(issue, run.agent, run.n);
  M.change(model, issue, {
    ...handedIn(model, issue, { outcome, later: false }),
    agent: agent === undefined ? issue.agent : agent,
    priority,
    ...(defer === undefined ? {} : { notBefore: defer && model.now + defer }),
  });
  return show(model, issue);
};

export const update = (
  model: M.Model,
  input: ByCaller & {
    readonly status?: M.Status;
    readonly agent?: number | null;
    readonly priority?: M.Priority;
    /** In seconds from now. */
    readonly defer?: number | null;
  },
): Answer =>
  settled(model, input, updateOf(input), (issue) => {
    const answer = byAgent(model, issue, input);
    if (answer !== null) return answer;
    const { status, agent = issue.agent, priority = issue.priority } = input;
    const changes = status !== undefined && status !== issue.status;
    if (changes) {
      const waits = M.openBlockers(model, issue.n).length > 0;
      if (status === "Closed" && openDependents(model, issue.n).length > 0)
        return refused("OpenDependents", openDependents(model, issue.n));
      if (M.isOpen(status) && waits !== (status === "WaitingOnDependency"))
        return blocked(model, issue.n);
    }
    M.register(model, input.agent ?? null);
    if (changes && status === "PendingReview") M.handIn(issue, input.by, null);
    if (changes && status === "Resolved") M.stop(model, issue.n, "resolved");
    if (changes && status === "Closed") M.stop(model, issue.n, "closed");
    if (changes && status !== "InProgress") M.stop(model, issue.n, "statusChanged");
    if (agent !== issue.agent) M.stop(model, issue.n, "reassigned");
    const isReset = input.by === null && (status !== undefined || input.agent !== undefined);
    const notBefore =
      input.defer === undefined
        ? isReset
          ? null
          : issue.notBefore
        : input.defer && model.now + input.defer;
    M.change(model, issue, {
      status: status ?? issue.status,
      agent,
      priority,
      because: status === undefined ? issue.because : null,
      attempts: isReset ? 0 : issue.attempts,
      notBefore,
    });
    return show(model, issue);
  });

export const close = (model: M.Model, input: ByCaller & { readonly force: boolean }): Answer =>
  settled(model, input, { kind: "close" }, (issue) => {
    const refusal = refusalOf(model, issue, input, { kind: "close" });
    if (refusal !== null) return refusal;
    const dependents = openDependents(model, issue.n);
    if (issue.status !== "Closed" && dependents.length > 0 && !input.force)
      return refused("OpenDependents", dependents);
    M.stop(model, issue.n, "closed");
    M.change(model, issue, { status: "Closed", because: null });
    return show(model, issue);
  });

export const pause = (model: M.Model, input: ByCaller) =>
  settled(model, input, { kind: "pause" }, (issue) => {
    const refusal = refusalOf(model, issue, input, { kind: "pause" });
    if (refusal !== null) return refusal;
    if (issue.status !== "InProgress") return refused("NotExecuting", issue.status);
    M.stop(model, issue.n, "paused");
    M.change(model, issue, { status: "Open", because: "person" });
    return show(model, issue);
  });

export const resume = (model: M.Model, input: ByCaller) =>
  settled(model, input, { kind: "resume" }, (issue) => {
    const refusal = refusalOf(model, issue, input, { kind: "resume" });
    if (refusal !== null) return refusal;
    if (issue.because === null) return refused("NotPaused", issue.status);
    if (M.openBlockers(model, issue.n).length > 0) return blocked(model, issue.n);
    M.change(model, issue, {
      status: "InProgress",
      because: null,
      attempts: 0,
      notBefore: null,
    });
    issue.resumed = true;
    return show(model, issue);
  });

export const remove = (model: M.Model, input: ByCaller) =>
  at(model, input, { kind: "remove" }, (issue) => {
    const refusal = refusalOf(model, issue, input, { kind: "remove" });
    if (refusal !== null) return refusal;
    M.stop(model, issue.n, "deleted");
    const freed = M.dependents(model, issue.n);
    model.issues.delete(issue.n);
    for (const link of model.links.values()) {
      if (link.source === issue.n || link.target === issue.n) model.links.delete(link.n);
    }
    for (const dependent of freed) M.blockersFewer(model, dependent.n);
    return nothing;
  });

export const comment = (model: M.Model, input: Caller & { readonly issue: number }): Answer => {
  const refusal = fenced(model, input.run, "comments");
  if (refusal !== null) return refusal;
  const issue = model.issues.get(input.issue);
  if (issue === undefined) return refused("NotFound", "issue");
  issue.comments.push(input.by);
  return nothing;
};
