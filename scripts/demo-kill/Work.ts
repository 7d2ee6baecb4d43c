import type { Client, Event, Run } from "@quartermaster/client";
import type { Random } from "./Random.ts";

/** The issues: a graph in which one or two issues block each issue, except the first ones. */

export const projectId = "kill";
export const agentIds = ["ada", "bob", "cleo", "dan", "eve"];
export const issueCount = 200;
/** The number of issues without a blocker, so that every runner has work from the start. */
const freeCount = 30;
/** The largest distance from an issue back to its blockers. */
const reach = 80;
/** True for every tenth command: it hands its run in itself. */
const handsInItself = (number: number) => number % 10 === 0;

const title = (number: number, random: Random) => {
  const seconds = (20 + random.below(30)) / 10;
  return `Part ${number} takes ${seconds} s${handsInItself(number) ? " and hands itself in" : ""}`;
};

/** Creates the issues. Returns the blockers of each, by id. */
export const create = async (client: Client, random: Random, count = issueCount) => {
  const ids: Array<string> = [];
  const blockers = new Map<string, ReadonlyArray<string>>();
  for (let number = 0; number < count; number += 1) {
    const before = number < freeCount ? [] : ids.slice(-reach);
    const own = new Set([random.pick(before), random.pick(before)]);
    const [blockedByIssueId, ...others] = [...own].filter((id) => id !== undefined);
    const { id } = await client.issues.create({
      projectId,
      title: title(number, random),
      assignedAgentId: agentIds[number % agentIds.length],
      blockedByIssueId,
    });
    for (const targetIssueId of others) {
      await client.links.create({ issueId: id, linkType: "BlockedBy", targetIssueId });
    }
    ids.push(id);
    blockers.set(id, blockedByIssueId === undefined ? [] : [blockedByIssueId, ...others]);
  }
  return blockers;
};

/** Follows the project's events across restarts of the server. */
export const follow = async (client: Client, signal: AbortSignal) => {
  const events: Array<Event> = [];
  const done = new Set<string>();
  const stream = await client.events.subscribe({ projectId, kinds: "issue.*" }, { signal });
  const reading = (async () => {
    for await (const event of stream) {
      events.push(event);
      if (event.kind === "issue.finished" && event.data["outcome"] === "resolved") {
        done.add(event.subjectId);
      }
    }
  })();
  return { events: events as ReadonlyArray<Event>, done: done as ReadonlySet<string>, reading };
};

/**
 * Clears the delays of issues that failed twice, which are a minute or more. Returns the number of
 * cleared delays. The server may be unreachable.
 */
export const clearDelays = async (client: Client): Promise<number> => {
  let cleared = 0;
  try {
    for await (const { id, notBefore } of client.issues.list({ projectId })) {
      if (notBefore === null) continue;
      await client.issues.update({ issueId: id, notBefore: null });
      cleared += 1;
    }
  } catch {
    // The next round clears the other delays.
  }
  return cleared;
};

/** Every run of every agent. */
export const runs = async (client: Client): Promise<ReadonlyArray<Run>> => {
  const runs: Array<Run> = [];
  for (const agentId of agentIds) {
    for await (const run of client.agents.runs({ agentId })) runs.push(run);
  }
  return runs;
};
