import { Issue, type IssueLink, Question, Run } from "@quartermaster/core";
import type { Tables } from "./Tables.ts";

/** Links in creation order. */
export const bySeq = (links: Iterable<IssueLink.LinkRow>): ReadonlyArray<IssueLink.LinkRow> =>
  Array.from(links).toSorted((a, b) => a.seq - b.seq);

const blocks = (tables: Tables, end: "sourceId" | "targetId", issueId: string) =>
  bySeq(tables.links.values()).filter(
    (link) => link.relation === "Blocks" && link[end] === issueId,
  );

const issuesAt = (
  tables: Tables,
  links: ReadonlyArray<IssueLink.LinkRow>,
  end: "sourceId" | "targetId",
): ReadonlyArray<Issue.IssueRow> =>
  links.flatMap((link) => {
    const issue = tables.issues.get(link[end]);
    return issue === undefined ? [] : [issue];
  });

/** The open issues that block the issue, oldest link first. */
export const openBlockers = (tables: Tables, issueId: string): ReadonlyArray<Issue.IssueRow> =>
  issuesAt(tables, blocks(tables, "targetId", issueId), "sourceId").filter((issue) =>
    Issue.isOpen(issue.status),
  );

/** The issues that the issue blocks, oldest link first. */
export const dependents = (tables: Tables, issueId: string): ReadonlyArray<Issue.IssueRow> =>
  issuesAt(tables, blocks(tables, "sourceId", issueId), "targetId");

/** The ids of all issues with an open blocker. */
export const blocked = (tables: Tables): ReadonlySet<string> => {
  const ids = new Set<string>();
  for (const { relation, sourceId, targetId } of tables.links.values()) {
    const source = tables.issues.get(sourceId);
    if (relation === "Blocks" && source !== undefined && Issue.isOpen(source.status)) {
      ids.add(targetId);
    }
  }
  return ids;
};

/** The questions of an issue with the stored status open, oldest first. */
export const openQuestions = (
  { questions }: Tables,
  issueId: string,
): ReadonlyArray<Question.QuestionRow> =>
  Array.from(questions.values())
    .filter((row) => row.issueId === issueId && row.status === "open")
    .toSorted((a, b) => a.seq - b.seq);

/** The ids of all issues that wait for an answer at the time `now`. */
export const awaiting = ({ questions }: Tables, now: string): ReadonlySet<string> =>
  new Set(
    Array.from(questions.values())
      .filter((row) => Question.isAwaited(row, now))
      .map(({ issueId }) => issueId),
  );

/** The latest `until` of the admitted calls of each issue. */
export const callsUntil = ({ admittedCalls }: Tables): ReadonlyMap<string, string> => {
  const latest = new Map<string, string>();
  for (const { issueId, until } of admittedCalls.values()) {
    if (issueId !== null && until > (latest.get(issueId) ?? "")) {
      latest.set(issueId, until);
    }
  }
  return latest;
};

/** The runs that have not ended, oldest first. */
export const notEnded = ({ runs }: Tables): ReadonlyArray<Run.RunRow> =>
  Array.from(runs.values())
    .filter((run) => run.status !== "ended")
    .toSorted((a, b) => a.seq - b.seq);

/** The live runs at the time `now`, by issue. */
export const liveRuns = (tables: Tables, now: string): ReadonlyMap<string, Run.RunRow> => {
  const runs = new Map<string, Run.RunRow>();
  for (const run of tables.runs.values()) {
    if (Run.isLive(run, now)) {
      runs.set(run.issueId, run);
    }
  }
  return runs;
};

/** A shortest chain of Blocks links, by breadth-first search. */
export const path = (
  tables: Tables,
  from: string,
  to: string,
): ReadonlyArray<string> | undefined => {
  const next = new Map<string, Array<string>>();
  for (const { relation, sourceId, targetId } of tables.links.values()) {
    if (relation === "Blocks") {
      next.set(sourceId, [...(next.get(sourceId) ?? []), targetId]);
    }
  }
  const cameFrom = new Map<string, string | null>([[from, null]]);
  for (const id of cameFrom.keys()) {
    if (id === to) {
      return chain(cameFrom, to);
    }
    for (const target of next.get(id) ?? []) {
      if (!cameFrom.has(target)) {
        cameFrom.set(target, id);
      }
    }
  }
  return undefined;
};

const chain = (cameFrom: ReadonlyMap<string, string | null>, to: string): ReadonlyArray<string> => {
  const ids: Array<string> = [];
  for (let id: string | null = to; id !== null; id = cameFrom.get(id) ?? null) {
    ids.unshift(id);
  }
  return ids;
};

/** Adds `by` to the `linkCount` of both ends of the link. */
export const countLink = (tables: Tables, link: IssueLink.LinkRow, by: 1 | -1): void => {
  for (const id of [link.sourceId, link.targetId]) {
    const issue = tables.issues.get(id);
    if (issue !== undefined) {
      tables.issues.set(id, { ...issue, linkCount: issue.linkCount + by });
    }
  }
};
