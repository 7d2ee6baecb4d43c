import { assert } from "@effect/vitest";
import {
  AgentStore,
  InboxStore,
  Issue,
  IssueLifecycle,
  IssueStore,
  LinkStore,
  ProjectStore,
} from "@quartermaster/core";
import { Effect, Option } from "effect";
import { SecureRandom } from "effect/crypto";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import type { It } from "../../Suite.ts";
import { all, check, keys, now } from "./InboxPages.ts";

const keyOf = ({ issue }: InboxStore.InboxRoot) => ({
  priority: issue.priority,
  since: issue.updatedAt,
  id: issue.id,
});

/** An issue and a dependent that waits for it. */
const pair = Effect.fnUntraced(function* (
  projectId: string,
  fields: Partial<Issue.IssueRow> = {},
  waiting: Partial<Issue.IssueRow> = {},
) {
  const root = yield* Fixtures.issue({ projectId, ...fields });
  const dependent = yield* Fixtures.issue({
    projectId,
    status: "WaitingOnDependency",
    ...waiting,
  });
  const link = yield* Fixtures.link(root, dependent);
  return { root, dependent, link };
});

const pausedAgent = Effect.gen(function* () {
  const agents = yield* AgentStore.AgentStore;
  const id = yield* Fixtures.id("agent");
  yield* transact(agents.register(id, Fixtures.at(0)));
  yield* transact(
    agents.update({ id, name: id, paused: true, toolMode: "direct", callsNeedRun: false }),
  );
  return id;
});

const rootsIn = (...projects: ReadonlyArray<string>) =>
  Effect.flatMap(InboxStore.InboxStore, (store) => store.roots({ projects, now }, all));

const idsIn = (...projects: ReadonlyArray<string>) =>
  Effect.map(rootsIn(...projects), (rows) => rows.map(({ issue }) => issue.id));

/** A random value. */
const pick = <const A>(values: readonly [A, ...ReadonlyArray<A>]) =>
  Effect.flatMap(SecureRandom.SecureRandom, (random) =>
    Effect.map(random.intBetween(0, values.length - 1), (n) => values[n] ?? values[0]),
  );

export const tests = (it: It<Storage>): void => {
  it.effect.each([
    ["unassigned", {}],
    ["paused by a person", { assignedAgentId: "ann", pausedBecause: "person" }],
    ["deferred", { assignedAgentId: "ann", notBefore: Fixtures.at(1_001) }],
    ["in progress and unassigned", { status: "InProgress" }],
  ] as const)("a root that is %s comes by priority, time and id", ([, fields]) =>
    Effect.gen(function* () {
      const store = yield* InboxStore.InboxStore;
      const projectId = yield* Fixtures.id("project");
      const stored: Array<InboxStore.InboxKey> = [];
      for (const { priority, since } of keys) {
        const { root } = yield* pair(projectId, { ...fields, priority, updatedAt: since });
        stored.push({ priority, since, id: root.id });
      }
      yield* check((slice) => store.roots({ projects: [projectId], now }, slice), keyOf, stored);
      const any = yield* store.roots({ projects: null, now }, all);
      assert.deepStrictEqual(
        any.filter(({ issue }) => issue.projectId === projectId),
        yield* rootsIn(projectId),
      );
    }),
  );

  it.effect("the open issues of the projects that wait for an issue are listed with it", () =>
    Effect.gen(function* () {
      const store = yield* InboxStore.InboxStore;
      const projectId = yield* Fixtures.id("project");
      const { dependent, root } = yield* pair(projectId);
      const second = yield* Fixtures.issue({ projectId, status: "PendingReview" });
      const hidden = yield* Fixtures.issue({ projectId: `${projectId}x` });
      const done = yield* Fixtures.issue({ projectId, status: "Resolved" });
      const related = yield* Fixtures.issue({ projectId });
      for (const issue of [second, hidden, done]) yield* Fixtures.link(root, issue);
      yield* Fixtures.link(root, related, { relation: "RelatedTo" });
      yield* Fixtures.link(dependent, second);
      const ids = [root.id, dependent.id, second.id];
      const waiting = (issueIds: ReadonlyArray<string>, projects: ReadonlyArray<string> | null) =>
        Effect.map(store.waiting(issueIds, projects), (pairs) =>
          pairs.map(([issueId, dependentId]) => `${issueId} ${dependentId}`),
        );
      const visible = [`${root.id} ${dependent.id}`, `${root.id} ${second.id}`];
      assert.sameMembers(yield* waiting(ids, [projectId]), [
        ...visible,
        `${dependent.id} ${second.id}`,
      ]);
      assert.sameMembers(yield* waiting([root.id], null), [...visible, `${root.id} ${hidden.id}`]);
      assert.deepStrictEqual(yield* waiting([], null), []);
    }),
  );

  it.effect("roots are a user's by assignment, also of a paused agent", () =>
    Effect.gen(function* () {
      const store = yield* InboxStore.InboxStore;
      const projectId = yield* Fixtures.id("project");
      const mine = yield* Fixtures.id("user");
      const assignedAgentId = yield* pausedAgent;
      const roots: Array<string> = [];
      for (const fields of [{}, { assignedAgentId }]) {
        const { root } = yield* pair(projectId, { ...fields, assigneeUserId: mine });
        yield* pair(projectId, { ...fields, assigneeUserId: "else" });
        roots.push(root.id);
      }
      for (const projects of [[projectId], null]) {
        const found = yield* store.roots({ projects, mine, now }, all);
        assert.sameMembers(
          found.map(({ issue }) => issue.id),
          roots,
        );
      }
    }),
  );

  it.effect(
    "the roots of a paused agent and of a paused project are sorted by priority, time and id",
    () =>
      Effect.gen(function* () {
        const store = yield* InboxStore.InboxStore;
        const projects = yield* ProjectStore.ProjectStore;
        const projectId = yield* Fixtures.id("project");
        const other = `${projectId}x`;
        const agentId = yield* pausedAgent;
        yield* transact(projects.setPaused(other, true));
        const stored: Array<InboxStore.InboxKey> = [];
        for (const { priority, since } of keys) {
          const fields = { priority, updatedAt: since };
          const first = yield* pair(projectId, { ...fields, assignedAgentId: agentId });
          const second = yield* pair(other, { ...fields, assignedAgentId: "ann" });
          yield* pair(projectId, { ...fields, assignedAgentId: "ann" });
          const both = yield* pair(other, { ...fields, assignedAgentId: agentId });
          for (const { root } of [first, second, both]) {
            stored.push({ priority, since, id: root.id });
          }
        }
        const query = { projects: [projectId, other], now };
        yield* check((slice) => store.roots(query, slice), keyOf, stored);
        const found = yield* rootsIn(projectId);
        assert.lengthOf(found, keys.length);
        assert.deepInclude(found[0], { agentPaused: true, projectPaused: false, blocks: 1 });
      }),
  );

  it.effect("a root counts the open issues of the projects that it blocks directly", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      const { dependent, root } = yield* pair(projectId);
      const waiting = { status: "WaitingOnDependency" } as const;
      const far = yield* Fixtures.issue({ projectId, ...waiting });
      yield* Fixtures.link(dependent, far);
      yield* Fixtures.link(root, yield* Fixtures.issue({ projectId, ...waiting }));
      yield* Fixtures.link(root, yield* Fixtures.issue({ projectId: `${projectId}x`, ...waiting }));
      yield* Fixtures.link(root, yield* Fixtures.issue({ projectId, status: "Resolved" }));
      yield* Fixtures.link(root, yield* Fixtures.issue({ projectId }), { relation: "RelatedTo" });
      const [found, ...more] = yield* rootsIn(projectId);
      assert.deepStrictEqual(more, []);
      assert.strictEqual(found?.issue.id, root.id);
      assert.strictEqual(found?.blocks, 2);
    }),
  );

  it.effect("roots of hidden dependents and hidden roots are omitted", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      const other = `${projectId}x`;
      const { root } = yield* pair(projectId, {}, { projectId: other });
      const second = yield* pair(other, {}, { projectId });
      assert.deepStrictEqual(yield* idsIn(projectId), []);
      assert.deepStrictEqual(yield* idsIn(other), []);
      assert.sameMembers([...(yield* idsIn(projectId, other))], [root.id, second.root.id]);
    }),
  );

  it.effect("a root leaves when its link or its dependent is removed", () =>
    Effect.gen(function* () {
      const links = yield* LinkStore.LinkStore;
      const issues = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      const first = yield* pair(projectId);
      const second = yield* pair(projectId);
      const third = yield* pair(projectId, { status: "Resolved" });
      assert.sameMembers([...(yield* idsIn(projectId))], [first.root.id, second.root.id]);
      yield* transact(links.remove(first.link.id));
      yield* transact(issues.remove(second.dependent.id));
      assert.deepStrictEqual(yield* idsIn(projectId), []);
      yield* transact(issues.update([{ ...third.root, status: "Open" }]));
      assert.deepStrictEqual(yield* idsIn(projectId), [third.root.id]);
    }),
  );

  it.effect(
    "for random issues, the roots are the issues that are not ready and have no item of their own",
    () =>
      Effect.gen(function* () {
        const store = yield* InboxStore.InboxStore;
        const issues = yield* IssueStore.IssueStore;
        const projectStore = yield* ProjectStore.ProjectStore;
        const projectId = yield* Fixtures.id("project");
        const projects = [projectId, `${projectId}x`, `${projectId}y`] as const;
        yield* transact(projectStore.setPaused(projects[1], true));
        const agentId = yield* pausedAgent;
        const roots: Array<Issue.IssueRow> = [];
        for (let n = 0; n < 150; n++) {
          const { root } = yield* pair(
            yield* pick(projects),
            {
              status: yield* pick(["Open", "Open", "InProgress", "PendingReview", "Resolved"]),
              assignedAgentId: yield* pick([null, "ann", "ann", agentId]),
              pausedBecause: yield* pick([null, null, null, ...Issue.PausedBecause.literals]),
              notBefore: yield* pick([null, null, Fixtures.at(999), Fixtures.at(1_001)]),
            },
            { status: yield* pick(["WaitingOnDependency", "WaitingOnDependency", "Closed"]) },
          );
          const question = yield* pick([null, null, null, Fixtures.at(999), Fixtures.at(1_001)]);
          if (question !== null)
            yield* Fixtures.question(root, { expiresAt: question, blocking: n % 2 === 0 });
          const lease = yield* pick([null, null, Fixtures.at(999), Fixtures.at(1_001)]);
          const status = yield* pick(["active", "stopping", "ended"]);
          if (lease !== null) yield* Fixtures.run(root, { leaseExpiresAt: lease, status });
          roots.push(root);
        }
        const expected: Array<string> = [];
        for (const { id } of roots) {
          const facts = Option.getOrThrow(yield* issues.facts(id, now));
          const codes = IssueLifecycle.obstacles(facts, now)
            .map(({ code }) => code)
            .filter((code) => code !== "running");
          const dependents = yield* issues.openDependents(id, 1);
          const isAsked = facts.openQuestions.some(
            ({ expiresAt }) => expiresAt === null || expiresAt > now,
          );
          const hasItem =
            isAsked || ["failed", "tooManyAttempts"].includes(facts.issue.pausedBecause ?? "");
          const isStuck =
            codes.length > 0 && facts.liveRun?.status !== "active" && !codes.includes("notOpen");
          if (dependents.length > 0 && isStuck && !hasItem) expected.push(id);
        }
        const found = yield* store.roots({ projects, now }, all);
        assert.isAbove(expected.length, 10);
        assert.sameMembers(
          found.map(({ issue }) => issue.id),
          expected,
        );
      }),
  );
};
