import {
  isLive,
  type Model,
  type ModelIssue,
  type ModelLink,
  obstacles,
  recorded,
} from "./Model.ts";

/** The model's state in the form that callers see. */

/** A link from the side of one of its two ends. */
export const viewLink = (link: ModelLink, from: number) => {
  const outgoing = link.source === from;
  return {
    n: link.n,
    issue: from,
    target: outgoing ? link.target : link.source,
    type: link.relation === "Blocks" && !outgoing ? "BlockedBy" : link.relation,
    direction: outgoing ? "outgoing" : "incoming",
  };
};

export const linksOf = (model: Model, n: number) =>
  [...model.links.values()].filter(({ source, target }) => source === n || target === n);

export const viewIssue = (model: Model, issue: ModelIssue) => ({
  n: issue.n,
  status: issue.status,
  priority: issue.priority,
  agent: issue.agent,
  paused: issue.because !== null,
  because: issue.because,
  attempts: issue.attempts,
  notBefore: issue.notBefore,
  version: issue.version,
  updatedAt: issue.updatedAt,
  startedAt: issue.startedAt,
  resolvedAt: issue.resolvedAt,
  closedAt: issue.closedAt,
  links: linksOf(model, issue.n).map((link) => viewLink(link, issue.n)),
});

/** The readiness response: the reasons why the issue is, or is not, being worked on. */
export const viewReadiness = (model: Model, issue: ModelIssue) => {
  const codes = obstacles(model, recorded(model, issue));
  const last = issue.agent === null ? undefined : model.agents.get(issue.agent);
  const silent = issue.agent !== null && (last == null || last < model.now - 600);
  const more = [
    ...(hasDiedRun(model, issue) ? ["leaseExpired"] : []),
    ...(silent ? ["agentSilent"] : []),
  ];
  return { ready: codes.length === 0, codes: [...codes, ...more] };
};

/** Whether the issue is InProgress although the lease of its last run expired. */
const hasDiedRun = (model: Model, issue: ModelIssue): boolean => {
  const last = [...model.runs.values()].findLast((run) => run.issue === issue.n);
  if (issue.status !== "InProgress" || last === undefined || isLive(model, last)) return false;
  return last.state !== "ended" || last.reason === "leaseExpired";
};

/** The runs of an agent, oldest first. A run with an expired lease has ended. */
export const viewRuns = (model: Model, agent: number) =>
  [...model.runs.values()]
    .filter((run) => run.agent === agent)
    .map((run) => ({
      n: run.n,
      issue: run.issue,
      status: isLive(model, run) ? run.state : "ended",
      leaseUntil: run.leaseUntil,
      attempt: run.attempt,
      reason: isLive(model, run) || run.state === "ended" ? run.reason : "leaseExpired",
    }));

/** The complete visible state, which is compared after each command. */
export const view = (model: Model) => ({
  issues: [...model.issues.values()].map((issue) => viewIssue(model, issue)),
  readiness: [...model.issues.values()].map((issue) => viewReadiness(model, issue)),
  runs: [...model.agents.keys()].map((agent) => viewRuns(model, agent)),
});
