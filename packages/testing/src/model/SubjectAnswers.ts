import type { Errors, Heartbeat } from "@quartermaster/core";
import { type Answer, refused, sorted } from "./Answer.ts";
import { agentNumber, type Names, seconds, viewIssue } from "./Names.ts";

/** The service's responses in the model's form. */

/** Errors that refuse the model's requests. */
export type Refusal =
  | Errors.StorageError
  | Errors.InvalidRequest
  | Errors.Forbidden
  | Errors.ConfirmationRequired
  | Errors.IdempotencyMismatch
  | Errors.LimitExceeded
  | Errors.NotFound
  | Errors.UsageKey
  | Errors.UnknownReference
  | Errors.PreconditionFailed
  | Errors.Blocked
  | Errors.OpenDependents
  | Errors.Exists
  | Errors.ExternalRefTaken
  | Errors.NotExecuting
  | Errors.NotPaused
  | Errors.SelfLink
  | Errors.LinkExists
  | Errors.DependencyCycle
  | Errors.RunEnded
  | Errors.NoRun
  | Errors.Paused
  | Errors.Held;

/** Converts a refusal to the model's numbers. */
export const refusal =
  ({ issues, links, runs }: Names) =>
  (error: Refusal): Answer => {
    const numbers = (ids: ReadonlyArray<string>) => sorted(ids.map((id) => issues.indexOf(id)));
    switch (error._tag) {
      case "NotFound":
        return refused(error._tag, error.resource);
      case "UnknownReference":
        return refused(error._tag, error.field);
      case "PreconditionFailed":
        return refused(error._tag, error.version);
      case "Blocked":
        return refused(error._tag, numbers(error.blockers));
      case "OpenDependents":
        return refused(error._tag, numbers(error.dependents));
      case "NotExecuting":
      case "NotPaused":
        return refused(error._tag, error.issueStatus);
      case "LinkExists":
        return refused(error._tag, links.indexOf(error.linkId));
      case "RunEnded":
        return refused(error._tag, error.reason);
      case "Held":
        return refused(error._tag, [runs.indexOf(error.runId), agentNumber(error.agentId)]);
      default:
        return refused(error._tag);
    }
  };

/**
 * Converts a heartbeat's response to the model's numbers, and registers the runs that it started.
 */
export const heartbeatAnswer = (names: Names, answer: Heartbeat.HeartbeatAnswer): Answer => {
  names.runs.push(...answer.started.map(({ runId }) => runId));
  const run = (runId: string) => names.runs.indexOf(runId);
  return {
    did: "heartbeat",
    started: answer.started.map(({ attempt, comments, runId, leaseExpiresAt, issue }) => ({
      run: run(runId),
      leaseUntil: seconds(leaseExpiresAt),
      attempt,
      issue: viewIssue(names, issue),
      comments: comments.length,
    })),
    renewed: answer.renewed
      .map(({ runId, leaseExpiresAt }) => ({
        run: run(runId),
        leaseUntil: seconds(leaseExpiresAt),
      }))
      .toSorted((a, b) => a.run - b.run),
    stop: answer.stop
      .map(({ runId, issueId, reason }) => ({
        run: run(runId),
        issue: issueId === null ? null : names.issues.indexOf(issueId),
        reason,
      }))
      .toSorted((a, b) => a.run - b.run),
  };
};
