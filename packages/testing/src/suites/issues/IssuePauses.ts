import { assert } from "@effect/vitest";
import { AgentStore, IssueStore, ProjectStore } from "@quartermaster/core";
import { Effect } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { ids, type It } from "../../Suite.ts";

const now = Fixtures.at(100);

/** Registers the agent and pauses or resumes it. */
export const pauseAgent = (id: string, paused: boolean) =>
  AgentStore.AgentStore.use((agents) =>
    transact(
      Effect.andThen(
        agents.register(id, now),
        agents.update({ id, name: id, paused, toolMode: "direct", callsNeedRun: false }),
      ),
    ),
  );

export const tests = (it: It<Storage>): void => {
  it.effect("claimable lists nothing of a paused agent, and no issue of a paused project", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const projects = yield* ProjectStore.ProjectStore;
      const claimable = (id: string, within: ReadonlyArray<string> | null = null) =>
        Effect.map(issues.claimable(id, within, 100, now), (found) =>
          ids(found.map(({ issue }) => issue)),
        );
      const agentId = yield* Fixtures.id("agent");
      const projectId = yield* Fixtures.id("project");
      const inProject = yield* Fixtures.issue({ assignedAgentId: agentId, projectId });
      const outside = yield* Fixtures.issue({ assignedAgentId: agentId });
      assert.deepStrictEqual(yield* claimable(agentId), ids([inProject, outside]));
      yield* transact(projects.setPaused(projectId, true));
      assert.deepStrictEqual(yield* claimable(agentId), [outside.id]);
      assert.deepStrictEqual(yield* claimable(agentId, [projectId]), []);
      yield* pauseAgent(agentId, true);
      assert.deepStrictEqual(yield* claimable(agentId), []);
      yield* transact(projects.setPaused(projectId, false));
      assert.deepStrictEqual(yield* claimable(agentId, [projectId]), []);
      yield* pauseAgent(agentId, false);
      assert.deepStrictEqual(yield* claimable(agentId), ids([inProject, outside]));
    }),
  );

  it.effect("facts show whether the assigned agent and the project are paused", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const projects = yield* ProjectStore.ProjectStore;
      const projectId = yield* Fixtures.id("project");
      const agentId = yield* Fixtures.id("agent");
      const pauses = (issueId: string) =>
        Effect.map(
          Effect.flatMap(issues.facts(issueId, now), Effect.fromOption),
          ({ agentPaused, projectPaused }) => [agentPaused, projectPaused],
        );
      const issue = yield* Fixtures.issue({ projectId, assignedAgentId: agentId });
      const other = yield* Fixtures.issue({ projectId: `${projectId}x`, assignedAgentId: "other" });
      const unassigned = yield* Fixtures.issue({ projectId });
      assert.deepStrictEqual(yield* pauses(issue.id), [false, false]);
      yield* pauseAgent(agentId, true);
      assert.deepStrictEqual(yield* pauses(issue.id), [true, false]);
      yield* transact(projects.setPaused(projectId, true));
      assert.deepStrictEqual(yield* pauses(issue.id), [true, true]);
      assert.deepStrictEqual(yield* pauses(unassigned.id), [false, true]);
      assert.deepStrictEqual(yield* pauses(other.id), [false, false]);
      yield* transact(issues.update([{ ...issue, assignedAgentId: "other" }]));
      assert.deepStrictEqual(yield* pauses(issue.id), [false, true]);
      yield* transact(issues.update([issue]));
      yield* pauseAgent(agentId, false);
      yield* transact(projects.setPaused(projectId, false));
      assert.deepStrictEqual(yield* pauses(issue.id), [false, false]);
    }),
  );
};
