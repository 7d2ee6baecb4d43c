import {
  Comments,
  type Errors,
  type Heartbeat,
  type Issue,
  Issues,
  Links,
  type Principal,
  Runs,
  Timestamp,
} from "@quartermaster/core";
import { Effect } from "effect";
import { type Answer, nothing, refused, sorted } from "./Answer.ts";
import { agent, as, user } from "./Callers.ts";
import type { Match } from "./ModelIssues.ts";
import { agentId, idOf, type Names, seconds, viewIssue, viewLink } from "./Names.ts";
import type { Request } from "./Request.ts";

/** Runs a request on the services, and returns the result in the model's numbers. */

export const projectId = "project";

type Refusal =
  | Errors.StorageError
  | Errors.InvalidRequest
  | Errors.Forbidden
  | Errors.ConfirmationRequired
  | Errors.IdempotencyMismatch
  | Errors.LimitExceeded
  | Errors.NotFound
  | Errors.UnknownReference
  | Errors.PreconditionFailed
  | Errors.Blocked
  | Errors.OpenDependents
  | Errors.NotExecuting
  | Errors.NotPaused
  | Errors.SelfLink
  | Errors.LinkExists
  | Errors.DependencyCycle
  | Errors.RunEnded;

const refusal =
  ({ issues, links }: Names) =>
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
      default:
        return refused(error._tag);
    }
  };

const heartbeatAnswer = (names: Names, answer: Heartbeat.HeartbeatAnswer): Answer => {
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

const conditionOf = (match: Match, version: number) =>
  match === "any" ? {} : { ifMatch: match === "present" ? [version] : [version + 1] };

/** Runs requests. `names` collects the numbers of what they create. */
export const make = Effect.fnUntraced(function* (names: Names) {
  const issues = yield* Issues.Issues;
  const links = yield* Links.Links;
  const comments = yield* Comments.Comments;
  const runs = yield* Runs.Runs;

  const show = (issue: Issue.Issue): Answer => ({ did: "issue", issue: viewIssue(names, issue) });
  const made = (ids: Array<string>, id: string) => void ids.push(id);
  const issueId = (n: number) => idOf(names.issues, n);
  const agentOrNull = (n: number | null) => (n === null ? null : agentId(n));

  const ask = (request: Request): Effect.Effect<Answer, Refusal, Principal.CurrentPrincipal> => {
    switch (request._tag) {
      case "create": {
        const { agent, blocker, priority } = request;
        return issues
          .create(projectId, {
            title: "An issue",
            priority,
            assignedAgentId: agentOrNull(agent),
            blockedByIssueId: blocker === null ? null : issueId(blocker),
          })
          .pipe(
            Effect.tap((issue) => {
              made(names.issues, issue.id);
              for (const link of issue.links) made(names.links, link.id);
              return Effect.void;
            }),
            Effect.map(show),
          );
      }
      case "update": {
        const { agent, defer, match, priority, status, version } = request;
        return Effect.flatMap(Timestamp.now, (now) =>
          issues.update(
            issueId(request.issue),
            {
              ...(status === undefined ? {} : { status }),
              ...(priority === undefined ? {} : { priority }),
              ...(agent === undefined ? {} : { assignedAgentId: agentOrNull(agent) }),
              ...(defer === undefined
                ? {}
                : { notBefore: defer === null ? null : Timestamp.addSeconds(now, defer) }),
            },
            conditionOf(match, version),
          ),
        ).pipe(Effect.map(show));
      }
      case "close": {
        const { force, match, version } = request;
        const condition = conditionOf(match, version);
        return Effect.map(issues.close(issueId(request.issue), { ...condition, force }), show);
      }
      case "pause": {
        const condition = conditionOf(request.match, request.version);
        return Effect.map(issues.pause(issueId(request.issue), condition), show);
      }
      case "resume": {
        const condition = conditionOf(request.match, request.version);
        return Effect.map(issues.resume(issueId(request.issue), condition), show);
      }
      case "remove": {
        const condition = conditionOf(request.match, request.version);
        return Effect.as(
          issues.remove(issueId(request.issue), { ...condition, confirm: true }),
          nothing,
        );
      }
      case "link":
        return links
          .create(issueId(request.issue), {
            targetIssueId: issueId(request.target),
            linkType: request.linkType,
          })
          .pipe(
            Effect.tap((link) => Effect.sync(() => made(names.links, link.id))),
            Effect.map((link): Answer => ({ did: "link", link: viewLink(names, link) })),
          );
      case "unlink":
        return Effect.as(links.remove(idOf(names.links, request.link)), nothing);
      case "comment": {
        const author = request.agent === null ? user("alice") : agent(agentId(request.agent));
        const comment = { content: "A word", authorType: author.type };
        return Effect.as(as(author)(comments.create(issueId(request.issue), comment)), nothing);
      }
      case "heartbeat": {
        const { capacity, leaseSeconds, runs: named } = request;
        return Effect.map(
          runs.heartbeat(agentId(request.agent), {
            capacity,
            leaseSeconds,
            runs: named.map((n) => idOf(names.runs, n)),
          }),
          (answer) => heartbeatAnswer(names, answer),
        );
      }
      case "turn":
        return Effect.map(
          runs.turn(agentId(request.agent), idOf(names.runs, request.run)),
          ({ action, comments, reason }): Answer => ({
            did: "turn",
            action,
            reason,
            comments: comments.length,
          }),
        );
      case "finish": {
        const { agent, comment, later, outcome, run } = request;
        const body = {
          outcome,
          ...(comment ? { comment: "Done" } : {}),
          ...(later && outcome === "failed" ? { retry: true } : {}),
          ...(later && outcome === "released" ? { retryAfterSeconds: 90 } : {}),
        };
        return Effect.map(runs.finish(agentId(agent), idOf(names.runs, run), body), show);
      }
    }
  };

  return (request: Request) =>
    ask(request).pipe(
      as(user("alice")),
      Effect.catch((error) => Effect.succeed(refusal(names)(error))),
    );
});
