import {
  Agents,
  Comments,
  CurrentRun,
  type Issue,
  Issues,
  Links,
  type Principal,
  Projects,
  Runs,
  Timestamp,
} from "@quartermaster/core";
import { Effect } from "effect";
import { type Answer, nothing } from "./Answer.ts";
import { as, user } from "./Callers.ts";
import type { Caller } from "./ModelAgents.ts";
import type { Match } from "./ModelIssues.ts";
import { agentId, callerOf, idOf, type Names, viewIssue, viewLink } from "./Names.ts";
import type { Request } from "./Request.ts";
import { heartbeatAnswer, type Refusal, refusal } from "./SubjectAnswers.ts";

/** Runs requests on the services and returns results in the model's numbers. */

export const projectId = "project";

const conditionOf = (match: Match, version: number) =>
  match === "any" ? {} : { ifMatch: match === "present" ? [version] : [version + 1] };

/** Returns a function that runs requests. `names` collects the numbers of created objects. */
export const make = Effect.fnUntraced(function* (names: Names) {
  const agents = yield* Agents.Agents;
  const projects = yield* Projects.Projects;
  const issues = yield* Issues.Issues;
  const links = yield* Links.Links;
  const comments = yield* Comments.Comments;
  const runs = yield* Runs.Runs;

  const show = (issue: Issue.Issue): Answer => ({ did: "issue", issue: viewIssue(names, issue) });
  const made = (ids: Array<string>, id: string) => void ids.push(id);
  const issueId = (n: number) => idOf(names.issues, n);
  const acting =
    (run: number | null, agent = 0) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.provideService(
        effect,
        CurrentRun.CurrentRun,
        run === null ? null : { id: idOf(names.runs, run), agentId: agentId(agent) },
      );
  const by =
    ({ by, run }: Caller) =>
    <A, E>(effect: Effect.Effect<A, E, Principal.CurrentPrincipal>) =>
      acting(run, by ?? 0)(as(callerOf(by))(effect));
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
            acting(request.run),
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
        ).pipe(by(request), Effect.map(show));
      }
      case "close": {
        const { force, match, version } = request;
        const condition = conditionOf(match, version);
        return issues
          .close(issueId(request.issue), { ...condition, force })
          .pipe(by(request), Effect.map(show));
      }
      case "pause": {
        const condition = conditionOf(request.match, request.version);
        return issues.pause(issueId(request.issue), condition).pipe(by(request), Effect.map(show));
      }
      case "resume": {
        const condition = conditionOf(request.match, request.version);
        return issues.resume(issueId(request.issue), condition).pipe(by(request), Effect.map(show));
      }
      case "remove": {
        const condition = conditionOf(request.match, request.version);
        return issues
          .remove(issueId(request.issue), { ...condition, confirm: true })
          .pipe(by(request), Effect.as(nothing));
      }
      case "link":
        return links
          .create(issueId(request.issue), {
            targetIssueId: issueId(request.target),
            linkType: request.linkType,
          })
          .pipe(
            Effect.tap((link) => Effect.sync(() => made(names.links, link.id))),
            acting(request.run),
            Effect.map((link): Answer => ({ did: "link", link: viewLink(names, link) })),
          );
      case "unlink":
        return links
          .remove(idOf(names.links, request.link))
          .pipe(acting(request.run), Effect.as(nothing));
      case "comment": {
        const comment = { content: "A word", authorType: callerOf(request.by).type };
        return Effect.as(by(request)(comments.create(issueId(request.issue), comment)), nothing);
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
      case "suspend": {
        const { agent, paused } = request;
        return agent === null
          ? Effect.as(projects.put(projectId, { paused }), nothing)
          : agents
              .put(agentId(agent), { paused })
              .pipe(as(user("root", { role: "Admin" })), Effect.as(nothing));
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
