import type { Event, Run } from "@quartermaster/client";
import type { Command } from "./Records.ts";

/** The evidence after the demo, from three sources: the commands, the event log, and the runs. */
export interface Evidence {
  /** The status of each issue. */
  readonly statuses: ReadonlyMap<string, string>;
  /** The blockers of each issue. */
  readonly blockers: ReadonlyMap<string, ReadonlyArray<string>>;
  /** The events of the issues, in their order. */
  readonly events: ReadonlyArray<Pick<Event, "id" | "kind" | "subjectId" | "data">>;
  /** Every run of every agent. */
  readonly runs: ReadonlyArray<Pick<Run, "id" | "issueId" | "status" | "outcome">>;
  readonly commands: ReadonlyArray<Command>;
  /** The process ids of the runners that were killed. */
  readonly killedRunners: ReadonlySet<number>;
}

const isSuccess = (outcome: unknown) => outcome === "resolved" || outcome === "review";

/**
 * Replays the events to find the run that held an issue at each time, and the issues that were done
 * by then.
 */
const replay = ({ blockers, events }: Evidence): ReadonlyArray<string> => {
  const found: Array<string> = [];
  const holders = new Map<string, string>();
  const done = new Set<string>();
  const seen = new Set<string>();
  for (const { data, id, kind, subjectId } of events) {
    if (seen.has(id)) found.push(`${id}: the stream has the event twice`);
    seen.add(id);
    const runId = String(data["runId"]);
    if (kind === "issue.pickedUp") {
      const holder = holders.get(subjectId);
      if (holder !== undefined)
        found.push(`${subjectId}: ${runId} started while ${holder} held it`);
      if (done.has(subjectId)) found.push(`${subjectId}: ${runId} started after it was done`);
      const open = (blockers.get(subjectId) ?? []).filter((blocker) => !done.has(blocker));
      if (open.length > 0) found.push(`${subjectId}: ${runId} started before ${open.join()}`);
      holders.set(subjectId, runId);
    } else if (
      kind === "issue.finished" ||
      kind === "issue.stopped" ||
      kind === "issue.leaseExpired"
    ) {
      if (holders.get(subjectId) !== runId) {
        found.push(`${subjectId}: ${runId} ended without holding it`);
      }
      holders.delete(subjectId);
      if (kind === "issue.finished" && isSuccess(data["outcome"])) done.add(subjectId);
    }
  }
  for (const [issueId, runId] of holders) found.push(`${issueId}: ${runId} has not ended`);
  return found;
};

/** The run that handed an issue in, if there is exactly one, and its command had finished its work. */
const winners = ({ commands, runs, statuses }: Evidence) => {
  const found: Array<string> = [];
  const byIssue = Map.groupBy(runs, ({ issueId }) => issueId);
  for (const [issueId, status] of statuses) {
    if (status !== "Resolved") found.push(`${issueId}: is ${status}`);
    const own = byIssue.get(issueId) ?? [];
    const successful = own.filter(({ outcome }) => isSuccess(outcome));
    if (successful.length !== 1) found.push(`${issueId}: ${successful.length} runs succeeded`);
    for (const { id } of successful) {
      const [command, ...others] = commands.filter(({ runId }) => runId === id);
      if (command === undefined || others.length > 0) {
        found.push(
          `${issueId}: ${id} succeeded with ${others.length + (command ? 1 : 0)} commands`,
        );
      } else if (command.endLine === null) {
        found.push(`${issueId}: ${id} succeeded before its command had finished`);
      }
    }
    for (const { id, status } of own) {
      if (status !== "ended") found.push(`${issueId}: ${id} is ${status}`);
    }
  }
  return found;
};

/** The differences between the runs in the event log and the runs in the agents' lists. */
const differences = ({ events, runs }: Evidence) => {
  const pickUps = events.filter(({ kind }) => kind === "issue.pickedUp");
  const started = new Set(pickUps.map(({ data }) => String(data["runId"])));
  const listed = new Set(runs.map(({ id }) => id));
  return [
    ...[...started].filter((id) => !listed.has(id)).map((id) => `${id}: has an event and no row`),
    ...[...listed].filter((id) => !started.has(id)).map((id) => `${id}: has a row and no event`),
  ];
};

/** Commands that still worked when the next command of their issue started. */
export const overlapping = (commands: ReadonlyArray<Command>): ReadonlyArray<Command> =>
  commands.filter((command) =>
    commands.some(
      ({ issueId, startLine }) =>
        issueId === command.issueId &&
        startLine > command.startLine &&
        command.endLine !== null &&
        command.endLine > startLine,
    ),
  );

/**
 * The contradictions to "every issue is done exactly once". A command outlives its run only if its
 * runner was killed: no process stops the command or records its result.
 */
export const violations = (evidence: Evidence): ReadonlyArray<string> => [
  ...replay(evidence),
  ...winners(evidence),
  ...differences(evidence),
  ...overlapping(evidence.commands)
    .filter(({ runnerPid }) => !evidence.killedRunners.has(runnerPid))
    .map(({ issueId, runId }) => `${issueId}: the command of ${runId} outlived its run`),
];
