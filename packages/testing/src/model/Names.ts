import type { Issue, IssueLink } from "@quartermaster/core";
import { DateTime } from "effect";
import { agent, user } from "./Callers.ts";

/** Maps the service's identifiers to the model's numbers, in creation order. */
export class Names {
  readonly issues: Array<string> = [];
  readonly links: Array<string> = [];
  readonly runs: Array<string> = [];
}

/** The identifier of an agent. */
export const agentId = (n: number): string => `agent-${n}`;
export const agentNumber = (id: string): number => Number(id.slice("agent-".length));

/** The agent with that number; a user for null. */
export const callerOf = (agentOrNull: number | null) =>
  agentOrNull === null ? user("alice") : agent(agentId(agentOrNull));

/** The identifier with that number, or one that does not exist. */
export const idOf = (ids: ReadonlyArray<string>, n: number): string => ids[n] ?? "unknown";

export const seconds = (moment: string): number =>
  DateTime.makeUnsafe(moment).epochMilliseconds / 1_000;

const secondsOrNull = (moment: string | null) => (moment === null ? null : seconds(moment));

export const viewLink = (names: Names, link: IssueLink.IssueLink) => ({
  n: names.links.indexOf(link.id),
  issue: names.issues.indexOf(link.issueId),
  target: names.issues.indexOf(link.targetIssueId),
  type: link.linkType,
  direction: link.direction,
});

export const viewIssue = (names: Names, issue: Issue.Issue) => ({
  n: names.issues.indexOf(issue.id),
  status: issue.status,
  priority: issue.priority,
  agent: issue.assignedAgentId === null ? null : agentNumber(issue.assignedAgentId),
  paused: issue.paused,
  because: issue.pausedBecause,
  attempts: issue.attempts,
  notBefore: secondsOrNull(issue.notBefore),
  version: issue.version,
  updatedAt: seconds(issue.updatedAt),
  startedAt: secondsOrNull(issue.startedAt),
  resolvedAt: secondsOrNull(issue.resolvedAt),
  closedAt: secondsOrNull(issue.closedAt),
  links: issue.links.map((link) => viewLink(names, link)),
});
