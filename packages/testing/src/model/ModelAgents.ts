import { type Answer, refused } from "./Answer.ts";
import * as M from "./Model.ts";

/**
 * The contract's rules for agent keys, and for issues that are paused, in review or held by a run.
 */

/** The caller of a request. */
export interface Caller {
  /** The calling agent; null for a user. */
  readonly by: number | null;
  /** The run of the call; null for none. */
  readonly run: number | null;
}

export interface Intent {
  readonly kind: "update" | "close" | "pause" | "resume" | "remove";
  readonly status?: M.Status | undefined;
  /** Whether an update sets the status, and neither agent nor deferral. */
  readonly isStatusOnly?: boolean;
}

/** The reason why the run can no longer change anything; null while it can. */
const endOf = (model: M.Model, { leaseUntil, reason, state }: M.ModelRun): string | null => {
  if (state === "ended") return reason;
  if (leaseUntil <= model.now) return "leaseExpired";
  return state === "stopping" ? reason : null;
};

/** Whether the agent withdraws its own submission for review. */
const takesBack = (issue: M.ModelIssue, { by, run }: Caller, { kind, status }: Intent): boolean => {
  const { comments, review } = issue;
  return (
    kind === "update" &&
    status === "Open" &&
    review?.agent === by &&
    !comments.slice(review.comments).includes(null) &&
    (run === null || run === review.run)
  );
};

const endsReview = ({ kind, status }: Intent): boolean =>
  kind === "update"
    ? status !== undefined && status !== "PendingReview"
    : kind === "close" || kind === "remove";

/** The refusal of a call by the state of the run that it acts for; null if the run may do this. */
export const fenced = (
  model: M.Model,
  run: number | null,
  act: "writes" | "comments",
): Answer | null => {
  const acting = run === null ? undefined : model.runs.get(run);
  if (acting === undefined) return null;
  if (!model.issues.has(acting.issue)) return refused("RunEnded", "deleted");
  const end = act === "comments" ? null : endOf(model, acting);
  return end === null ? null : refused("RunEnded", end);
};

/** Like `fenced`, for a change of the issue: an agent may withdraw its submission after its run. */
export const fencedChange = (
  model: M.Model,
  issue: M.ModelIssue | undefined,
  caller: Caller,
  intent: Intent,
): Answer | null =>
  caller.by !== null && issue?.status === "PendingReview" && takesBack(issue, caller, intent)
    ? null
    : fenced(model, caller.run, "writes");

/** The reason why the caller may not change the issue; null if it may. */
export const refusal = (
  model: M.Model,
  issue: M.ModelIssue,
  caller: Caller,
  intent: Intent,
): Answer | null => {
  const { by, run } = caller;
  if (by === null) return null;
  const isReview = issue.status === "PendingReview";
  const isBack = isReview && takesBack(issue, caller, intent);
  const acting = run === null ? undefined : model.runs.get(run);
  if (issue.because !== null && intent.kind !== "pause") return refused("Paused");
  if (isReview && endsReview(intent) && !isBack) return refused("Forbidden");
  const live = M.liveRun(model, issue.n);
  if (live === undefined || live === acting) return null;
  const own = [...model.runs.values()].filter(
    (each) => each.issue === issue.n && each.agent === by,
  );
  const isOnly = live.agent === by && own.length === 1 && intent.isStatusOnly === true;
  return acting === undefined && isOnly ? null : refused("Held", [live.n, live.agent]);
};
