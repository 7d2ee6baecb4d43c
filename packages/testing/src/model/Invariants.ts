import { assert } from "@effect/vitest";
import {
  Activity,
  type Errors,
  EventStore,
  Issue,
  type IssueLink,
  Issues,
  IssueStore,
  Links,
  type Page,
  type Principal,
  Questions,
  Runs,
  Timestamp,
} from "@quartermaster/core";
import { Effect, Option } from "effect";

/** The invariants of a project's issues after calls by any number of callers. */

/** Reads all pages of a list. */
export const everything = Effect.fnUntraced(function* <A, E, R>(
  list: (request: Page.PageRequest) => Effect.Effect<Page.Page<A>, E, R>,
) {
  const items: Array<A> = [];
  let cursor: string | undefined;
  do {
    const page: Page.Page<A> = yield* list({
      limit: 500,
      order: "asc",
      ...(cursor === undefined ? {} : { cursor }),
    });
    items.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return items;
});

const checkGraph = (
  issues: ReadonlyArray<Issue.Issue>,
  links: ReadonlyArray<IssueLink.IssueLink>,
) => {
  const byId = new Map(issues.map((issue) => [issue.id, issue]));
  const blockers = (id: string) =>
    links.filter((link) => link.issueId === id && link.linkType === "BlockedBy");
  const done = new Set<string>();
  const visit = (id: string, path: ReadonlyArray<string>): void => {
    assert.notInclude(path, id, "a cycle of Blocks");
    if (done.has(id)) return;
    for (const link of blockers(id)) visit(link.targetIssueId, [...path, id]);
    done.add(id);
  };
  for (const { id, status } of issues) {
    visit(id, []);
    if (status !== "WaitingOnDependency") continue;
    const statuses = blockers(id).map(({ targetIssueId }) => byId.get(targetIssueId)?.status);
    assert.isTrue(
      statuses.some((status) => status !== undefined && Issue.isOpen(status)),
      `${id} waits for nothing: ${statuses.join()}`,
    );
  }
};

const checkRuns = Effect.fnUntraced(function* (
  issues: ReadonlyArray<Issue.Issue>,
  agentIds: ReadonlyArray<string>,
) {
  const runs = yield* Runs.Runs;
  const now = yield* Timestamp.now;
  const perAgent = yield* Effect.forEach(agentIds, (agentId) =>
    everything((request) => runs.list(agentId, request)).pipe(
      Effect.catchTag("NotFound", () => Effect.succeed([])),
    ),
  );
  const live = perAgent.flat().filter((run) => run.status !== "ended");
  const held = live.map(({ issueId }) => issueId);
  assert.strictEqual(new Set(held).size, held.length, "two live runs of one issue");
  for (const run of live) {
    assert.isTrue(run.leaseExpiresAt > now, "a live run whose lease is over");
    if (run.status !== "active") continue;
    const issue = issues.find(({ id }) => id === run.issueId);
    assert.deepInclude(
      { status: issue?.status, paused: issue?.paused, agent: issue?.assignedAgentId },
      { status: "InProgress", paused: false, agent: run.agentId },
      "an active run of an issue that is not its agent's to execute",
    );
  }
});

const checkTimeline = Effect.fnUntraced(function* (issue: Issue.Issue) {
  const issues = yield* Issues.Issues;
  const events = yield* EventStore.EventStore;
  const timeline = yield* everything((request) => issues.activity(issue.id, request));
  const { list } = yield* Questions.Questions;
  const questions = yield* everything((request) => list(issue.id, request));
  const blocking = questions.filter((question) => question.blocking).map(({ id }) => id);
  checkPickUps(timeline, new Set(blocking));
  let status: unknown = timeline[0]?.data["status"];
  assert.strictEqual(timeline[0]?.kind, "created");
  for (const { data, kind } of timeline) {
    if (kind !== "statusChanged") continue;
    assert.strictEqual(data["from"], status, "a change of status that is not on the timeline");
    assert.notStrictEqual(data["from"], data["to"]);
    status = data["to"];
  }
  assert.strictEqual(issue.status, status, "the timeline does not lead to the status");
  const until = yield* events.lastSeq;
  const rows = yield* events.list(
    {
      projects: [issue.projectId],
      kinds: Activity.ActivityKind.literals.map((kind) => `issue.${kind}` as const),
    },
    { after: 0, until, limit: 100_000 },
  );
  assert.deepStrictEqual(
    rows
      .filter(({ subjectId }) => subjectId === issue.id)
      .map(({ id, kind, actor, data, createdAt }) => ({ id, kind, actor, data, createdAt })),
    timeline.map(({ id, kind, actor, data, createdAt }) => ({
      id,
      kind: `issue.${kind}` as const,
      actor,
      data,
      createdAt,
    })),
    "an activity without its event",
  );
});

/** Checks that at each claim no other run held the issue and no blocking question was open. */
const checkPickUps = (
  timeline: ReadonlyArray<Activity.Activity>,
  blocking: ReadonlySet<unknown>,
) => {
  const open = new Set<unknown>();
  let holder: unknown;
  for (const { data, kind } of timeline) {
    const { questionId, runId } = data;
    if (kind === "asked" && blocking.has(questionId)) open.add(questionId);
    if (kind === "answered" || kind === "questionWithdrawn" || kind === "questionExpired") {
      open.delete(questionId);
    }
    if (kind === "pickedUp") {
      assert.isUndefined(holder, "picked up while another run held it");
      assert.lengthOf([...open], 0, "picked up before a question was answered");
      holder = runId;
    }
    if (kind === "finished" || kind === "stopped" || kind === "leaseExpired") {
      assert.strictEqual(runId, holder, "the end of a run that did not hold the issue");
      holder = undefined;
    }
  }
};

const checkLinks = Effect.fnUntraced(function* (issue: Issue.Issue) {
  const services = { links: yield* Links.Links, store: yield* IssueStore.IssueStore };
  const links = yield* everything((request) => services.links.list(issue.id, request));
  const row = yield* services.store.get(issue.id);
  assert.deepStrictEqual(
    Option.map(row, ({ linkCount }) => linkCount),
    Option.some(links.length),
  );
  assert.deepStrictEqual(issue.links, links.slice(0, 100));
  return links;
});

/** Fails unless every invariant holds for the project's issues. Returns the issues. */
export const check = Effect.fnUntraced(function* (
  projectId: string,
  agentIds: ReadonlyArray<string>,
): Effect.fn.Return<
  ReadonlyArray<Issue.Issue>,
  Errors.InvalidRequest | Errors.NotFound | Errors.StorageError,
  | EventStore.EventStore
  | Issues.Issues
  | IssueStore.IssueStore
  | Links.Links
  | Principal.CurrentPrincipal
  | Questions.Questions
  | Runs.Runs
> {
  const service = yield* Issues.Issues;
  const issues = yield* everything((request) => service.list(projectId, request));
  const links = yield* Effect.forEach(issues, checkLinks);
  checkGraph(issues, links.flat());
  yield* checkRuns(issues, agentIds);
  yield* Effect.forEach(issues, checkTimeline, { discard: true });
  return issues;
});
