import { assert } from "@effect/vitest";
import type { Quartermaster } from "./Quartermaster.ts";
import { everything, type Told } from "./Reader.ts";

/**
 * Replays the history of issues from their events, and compares it with the rules and the stored
 * state.
 */

interface Issue {
  readonly id: string;
  readonly status: string;
  readonly paused: boolean;
  readonly assignedAgentId: string | null;
}

interface State {
  status: string;
  paused: boolean;
  /** Undefined if no event reports it. */
  agent: string | null | undefined;
  run: string | undefined;
  readonly blockers: Map<string, string>;
  /** The questions that are open. */
  readonly questions: Set<string>;
}

const isOpen = (status: string | undefined) =>
  status !== undefined && status !== "Resolved" && status !== "Closed";

/** The status changes that each cause allows. Null stands for any status. */
const legal: Record<string, readonly [from: string | null, to: ReadonlyArray<string> | null]> = {
  update: [null, null],
  close: [null, ["Closed"]],
  pause: ["InProgress", ["Open"]],
  resume: [null, ["InProgress"]],
  linked: [null, ["WaitingOnDependency"]],
  unlinked: ["WaitingOnDependency", ["Open"]],
  blockerResolved: ["WaitingOnDependency", ["Open"]],
  blockerClosed: ["WaitingOnDependency", ["Open"]],
  blockerDeleted: ["WaitingOnDependency", ["Open"]],
  blockerReopened: ["Open", ["WaitingOnDependency"]],
  pickedUp: ["Open", ["InProgress"]],
  finished: ["InProgress", ["Resolved", "PendingReview", "Open", "WaitingOnDependency"]],
};

const move = (state: State, { data, id }: Told) => {
  const { cause, from, to } = data as { cause: string; from: string; to: string };
  const [mayFrom, mayTo] = legal[cause] ?? assert.fail(`${id}: no such cause as ${cause}`);
  assert.strictEqual(from, state.status, `${id}: a move that the history does not lead to`);
  assert.notStrictEqual(from, to, id);
  assert.isTrue(mayFrom === null || mayFrom === from, `${id}: ${cause} from ${from}`);
  assert.isTrue(mayTo === null || mayTo.includes(to), `${id}: ${cause} to ${to}`);
  state.status = to;
  if (cause === "update" || cause === "close") state.paused = false;
};

const pickUp = (
  states: ReadonlyMap<string, State>,
  state: State,
  { actor, data, id }: Told,
  blocking: ReadonlySet<string>,
) => {
  const open = [...state.blockers.values()].filter((key) => isOpen(states.get(key)?.status));
  assert.deepStrictEqual(
    {
      held: state.run,
      paused: state.paused,
      blockers: open,
      questions: [...state.questions].filter((questionId) => blocking.has(questionId)),
      agent: state.agent ?? actor.id,
      status: state.status === "InProgress" ? "Open" : state.status,
    },
    {
      held: undefined,
      paused: false,
      blockers: [],
      questions: [],
      agent: actor.id,
      status: "Open",
    },
    `${id}: picked up although it was not ready`,
  );
  state.run = String(data["runId"]);
};

const release = (state: State, { data, id }: Told) => {
  assert.strictEqual(
    data["runId"],
    state.run,
    `${id}: the end of a run that does not hold the issue`,
  );
  state.run = undefined;
  if (data["outcome"] === "failed") state.paused = true;
};

const update = (state: State, { data }: Told) => {
  const changes = data["changes"] as Record<string, { readonly to: string | null } | null>;
  if (changes["assignedAgentId"]) state.agent = changes["assignedAgentId"].to;
  if (changes["paused"]) state.paused = false;
};

/** The agents to which issues were assigned at creation, by issue id. */
export type Created = ReadonlyMap<string, string | null>;

/**
 * Replays the events, and fails if they break a rule. Returns the expected states of the issues.
 * `blocking` contains the questions that block their issue, which no event reports.
 */
export const replay = (
  events: ReadonlyArray<Told>,
  created: Created,
  blocking: ReadonlySet<string>,
): Map<string, State> => {
  const states = new Map<string, State>();
  const of = (id: string) => states.get(id) ?? assert.fail(`${id} was never created`);
  for (const event of events) {
    const { data, kind, subjectId } = event;
    switch (kind) {
      case "issue.created":
        assert.isFalse(states.has(subjectId), `${subjectId} was created twice`);
        states.set(subjectId, {
          status: String(data["status"]),
          paused: false,
          agent: created.get(subjectId),
          run: undefined,
          blockers: new Map(),
          questions: new Set(),
        });
        break;
      case "issue.deleted":
        of(subjectId);
        states.delete(subjectId);
        break;
      case "issue.updated":
        update(of(subjectId), event);
        break;
      case "issue.statusChanged":
        move(of(subjectId), event);
        break;
      case "issue.paused":
        of(subjectId).paused = true;
        break;
      case "issue.resumed":
        of(subjectId).paused = false;
        break;
      case "issue.pickedUp":
        pickUp(states, of(subjectId), event, blocking);
        break;
      case "issue.finished":
      case "issue.stopped":
      case "issue.leaseExpired":
        release(of(subjectId), event);
        break;
      case "issue.linked":
        if (data["linkType"] === "BlockedBy") {
          of(subjectId).blockers.set(String(data["linkId"]), String(data["targetIssueId"]));
        }
        break;
      case "issue.unlinked":
        of(subjectId).blockers.delete(String(data["linkId"]));
        break;
      case "issue.asked":
        of(subjectId).questions.add(String(data["questionId"]));
        break;
      case "issue.answered":
      case "issue.questionExpired":
      case "issue.questionWithdrawn":
        assert.isTrue(
          of(subjectId).questions.delete(String(data["questionId"])),
          `${event.id}: a question that was not open`,
        );
        break;
      default:
        of(subjectId);
    }
  }
  return states;
};

interface Question {
  readonly id: string;
  readonly blocking: boolean;
  readonly status: string;
}

/** The questions of the existing issues with questions, by issue id. */
const questionsOf = async (
  node: Quartermaster,
  issues: ReadonlyArray<Issue>,
  events: ReadonlyArray<Told>,
) => {
  const asked = new Set(
    events.flatMap(({ kind, subjectId }) => (kind === "issue.asked" ? [subjectId] : [])),
  );
  const questions = new Map<string, ReadonlyArray<Question>>();
  for (const { id } of issues) {
    if (!asked.has(id)) continue;
    questions.set(id, await everything<Question>(node, `/api/projects/issues/${id}/questions`));
  }
  return questions;
};

/** Compares the stored issues with the events: each change has an event, and each event a change. */
export const compare = async (
  node: Quartermaster,
  projectId: string,
  events: ReadonlyArray<Told>,
  created: Created,
): Promise<ReadonlyArray<Issue>> => {
  const issues = await everything<Issue>(node, `/api/projects/${projectId}/issues`);
  const ids = [...issues, ...events].map(({ id }) => id);
  assert.strictEqual(new Set(ids).size, ids.length, "an id twice");
  const questions = await questionsOf(node, issues, events);
  const blocking = [...questions.values()].flat().filter((question) => question.blocking);
  const states = replay(events, created, new Set(blocking.map(({ id }) => id)));
  for (const { id, status, paused, assignedAgentId } of issues) {
    const state = states.get(id) ?? assert.fail(`${id} exists without an event of its creation`);
    assert.deepInclude(
      state,
      { status, paused, agent: state.agent === undefined ? undefined : assignedAgentId },
      id,
    );
    const isBlocked = [...state.blockers.values()].some((key) => isOpen(states.get(key)?.status));
    if (status === "WaitingOnDependency") assert.isTrue(isBlocked, `${id} waits for nothing`);
    const open = (questions.get(id) ?? []).filter(({ status }) => status === "open");
    assert.sameMembers(
      [...state.questions],
      open.map((question) => question.id),
      `the open questions of ${id}`,
    );
    const timeline = await everything<Told>(node, `/api/projects/issues/${id}/activity`);
    assert.deepStrictEqual(
      timeline.map((entry) => [entry.id, `issue.${entry.kind}`, entry.data]),
      events
        .filter(({ subjectId }) => subjectId === id)
        .map((event) => [event.id, event.kind, event.data]),
      `the timeline of ${id}`,
    );
  }
  const there = new Set(issues.map(({ id }) => id));
  for (const id of states.keys())
    assert.isTrue(there.has(id), `${id} is gone without an event of its deletion`);
  return issues;
};
