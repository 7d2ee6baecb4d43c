import { assert, describe } from "@effect/vitest";
import {
  Agents,
  Comments,
  Directory,
  EventStore,
  Issues,
  Projects,
  Runs,
} from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import {
  check,
  checkWith,
  create,
  executing,
  finish,
  get,
  heartbeat,
  link,
  project,
  refusal,
  turn,
} from "../support/World.ts";

const admin = Callers.as(Callers.user("root", { role: "Admin" }));

const putAgent = (id: string, input: Parameters<(typeof Agents.Agents)["Service"]["put"]>[1]) =>
  admin(Agents.Agents.use((agents) => agents.put(id, input)));

const putProject = (id: string, paused: boolean | null) =>
  Projects.Projects.use((projects) => projects.put(id, { paused }));

const started = (agentId: string) =>
  Effect.map(heartbeat(agentId, { capacity: 50 }), (answer) =>
    answer.started.map(({ issue }) => issue.id),
  );

/** The stop reasons of the agent's live and ended runs. */
const stopReasons = (agentId: string) =>
  Effect.map(
    Runs.Runs.use((runs) => runs.list(agentId)),
    ({ items }) => items.map(({ stopReason }) => stopReason),
  );

const codes = (id: string) =>
  Effect.map(
    Issues.Issues.use((issues) => issues.readiness(id)),
    ({ ready, reasons }) => [ready, ...reasons.map(({ code }) => code)],
  );

const eventsOf = (kind: string) =>
  Effect.map(
    EventStore.EventStore.use((events) =>
      events.list({ projects: null, kinds: null }, { after: 0, until: 10_000, limit: 10_000 }),
    ),
    (rows) => rows.filter((row) => row.kind === kind),
  );

describe("Paused agents", () => {
  check(
    "[agents.paused] a pause stops the agent's live runs, and no heartbeat claims until it ends",
    Effect.gen(function* () {
      const first = yield* executing("bot");
      const second = yield* executing("bot");
      const other = yield* executing("other");
      assert.isTrue((yield* putAgent("bot", { paused: true })).paused);
      assert.deepStrictEqual(yield* stopReasons("bot"), ["agentPaused", "agentPaused"]);
      assert.deepStrictEqual(yield* stopReasons("other"), [null]);
      assert.strictEqual((yield* turn(other.runId, "other")).action, "continue");

      const stop = [
        { runId: first.runId, issueId: first.issue.id, reason: "agentPaused" },
        { runId: second.runId, issueId: second.issue.id, reason: "agentPaused" },
      ];
      const beat = yield* heartbeat("bot", { runs: [first.runId], capacity: 5 });
      assert.deepStrictEqual([beat.stop, beat.renewed, beat.started], [stop, [], []]);
      assert.deepInclude(yield* turn(first.runId), { action: "stop", reason: "agentPaused" });
      assert.deepInclude(yield* refusal(finish(second.runId, "resolved")), {
        _tag: "RunEnded",
        reason: "agentPaused",
      });
      const waits = yield* create({ assignedAgentId: "bot" });
      assert.deepStrictEqual(yield* started("bot"), []);
      for (const id of [first.issue.id, second.issue.id, waits.id]) {
        assert.deepStrictEqual(yield* codes(id), [false, "agentPaused"]);
      }
      assert.deepInclude(yield* get(first.issue.id), { status: "InProgress", attempts: 0 });

      assert.isFalse((yield* putAgent("bot", { paused: false })).paused);
      assert.sameMembers(yield* started("bot"), [first.issue.id, second.issue.id, waits.id]);
    }),
  );

  check(
    "[agents.paused] the lease of a run that was told to stop ends it without an attempt",
    Effect.gen(function* () {
      const { issue } = yield* executing("bot");
      yield* putAgent("bot", { paused: true });
      yield* TestClock.adjust("6 minutes");
      yield* putAgent("bot", { paused: false });
      assert.deepStrictEqual(yield* started("bot"), [issue.id]);
      assert.strictEqual((yield* get(issue.id)).attempts, 0);
    }),
  );

  check(
    "[agents.paused] a reassignment to another agent takes the issue out of the pause",
    Effect.gen(function* () {
      const { id } = yield* create({ assignedAgentId: "bot" });
      yield* putAgent("bot", { paused: true });
      assert.deepStrictEqual(yield* started("bot"), []);
      yield* Issues.Issues.use((issues) => issues.update(id, { assignedAgentId: "other" }));
      assert.deepStrictEqual(yield* started("other"), [id]);
    }),
  );

  check(
    "[agents.updated] a change of name, pause or tool mode emits agent.updated, and a repeat nothing",
    Effect.gen(function* () {
      const agents = yield* Agents.Agents;
      const made = yield* putAgent("bot", {});
      assert.deepInclude(made, { name: "bot", paused: false, toolMode: "direct" });
      assert.deepStrictEqual(yield* eventsOf("agent.updated"), []);
      const changed = { name: "Bot", paused: true, toolMode: "search" } as const;
      for (const update of [changed, changed, { paused: null, toolMode: null, name: null }, {}]) {
        assert.deepInclude(yield* putAgent("bot", update), changed);
      }
      assert.deepInclude(yield* agents.get("bot"), changed);
      assert.deepInclude((yield* agents.list()).items[0], changed);
      const [event, ...more] = yield* eventsOf("agent.updated");
      assert.lengthOf(more, 0);
      assert.deepInclude(event, { subjectId: "bot", projectId: null });
      assert.deepStrictEqual(event?.data, {
        changes: {
          name: { from: "bot", to: "Bot" },
          paused: { from: false, to: true },
          toolMode: { from: "direct", to: "search" },
        },
      });
      yield* putAgent("bot", { paused: false });
      assert.lengthOf(yield* eventsOf("agent.updated"), 2);
    }),
  );

  check(
    "[agents.paused] a deleted agent that registers again is not paused",
    Effect.gen(function* () {
      yield* putAgent("bot", { paused: true, toolMode: "search" });
      yield* admin(Agents.Agents.use((agents) => agents.remove("bot")));
      yield* heartbeat("bot");
      const agent = yield* Agents.Agents.use((agents) => agents.get("bot"));
      assert.deepInclude(agent, { paused: false, toolMode: "direct" });
    }),
  );
});

const about = { id: project, prefix: "PROJECT", name: null, description: null };

describe("Paused projects", () => {
  check(
    "[projects.paused] a pause stops the live runs of the project's issues, and none is claimed until it ends",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing("bot");
      const another = yield* executing("ops");
      const { id: elsewhere } = yield* create({ assignedAgentId: "bot" }, "elsewhere");
      yield* heartbeat("bot");
      const waits = yield* create({ assignedAgentId: "bot" });
      assert.deepStrictEqual(yield* putProject(project, true), {
        ...about,
        paused: true,
        agentsMay: "resolve",
      });
      assert.deepStrictEqual(yield* stopReasons("bot"), [null, "projectPaused"]);
      assert.deepStrictEqual(yield* stopReasons("ops"), ["projectPaused"]);
      assert.deepInclude(yield* turn(runId), { action: "stop", reason: "projectPaused" });
      assert.deepInclude(yield* refusal(finish(another.runId, "resolved", "ops")), {
        _tag: "RunEnded",
        reason: "projectPaused",
      });
      assert.deepStrictEqual(yield* started("bot"), []);
      assert.deepStrictEqual(yield* codes(issue.id), [false, "projectPaused"]);
      assert.deepStrictEqual(yield* codes(elsewhere), [false, "running"]);
      const later = yield* create({ assignedAgentId: "bot" }, "elsewhere");
      assert.deepStrictEqual(yield* started("bot"), [later.id]);
      assert.deepStrictEqual(yield* putProject(project, false), {
        ...about,
        paused: false,
        agentsMay: "resolve",
      });
      assert.sameMembers(yield* started("bot"), [issue.id, waits.id]);
    }),
  );

  check(
    "[projects.updated] a pause and its end emit project.updated, and a repeat nothing",
    Effect.gen(function* () {
      for (const paused of [false, true, true, null, false, false]) {
        yield* putProject(project, paused);
      }
      const events = yield* eventsOf("project.updated");
      assert.deepStrictEqual(
        events.map(({ data, projectId, subjectId }) => [projectId, subjectId, data]),
        [true, false].map((to) => [project, project, { changes: { paused: { from: !to, to } } }]),
      );
    }),
  );

  check(
    "[projects.role] an Editor that sees the project pauses it, an agent does not",
    Effect.gen(function* () {
      const put = putProject(project, true);
      const viewer = Callers.as(Callers.user("eve", { role: "Viewer" }));
      assert.deepInclude(yield* refusal(viewer(put)), {
        _tag: "Forbidden",
        requiredRole: "Editor",
      });
      for (const role of ["Editor", "Admin"] as const) {
        const agent = Callers.as(Callers.agent("bot", { role }));
        assert.deepInclude(yield* refusal(agent(put)), { _tag: "Forbidden", requiredRole: null });
      }
      const bound = Callers.as(Callers.user("bob", { projects: ["elsewhere"] }));
      assert.deepInclude(yield* refusal(bound(put)), {
        _tag: "NotFound",
        resource: "project",
        id: project,
      });
      assert.strictEqual((yield* refusal(putProject("issues", true)))._tag, "InvalidRequest");
      assert.deepStrictEqual(yield* eventsOf("project.updated"), []);
      const here = Callers.as(Callers.user("bob", { projects: [project] }));
      assert.isTrue((yield* here(put)).paused);
    }),
  );

  check(
    "[projects.activity.hidden] a link to an issue of a hidden project does not count as activity",
    Effect.gen(function* () {
      const { id } = yield* create();
      const hidden = yield* create({}, "elsewhere");
      yield* TestClock.adjust("1 second");
      yield* link(id, "RelatedTo", hidden.id);
      const last = Effect.map(
        Projects.Projects.use((projects) => projects.list()),
        ({ items }) => items.find((item) => item.id === project)?.lastActivityAt,
      );
      const bound = Callers.as(Callers.user("bob", { projects: [project] }));
      assert.strictEqual(yield* bound(last), "1970-01-01T00:00:00.000Z");
      assert.strictEqual(yield* last, "1970-01-01T00:00:01.000Z");
    }),
  );

  check(
    "[projects.list] the list has the visible projects, and a comment or a deletion is activity",
    Effect.gen(function* () {
      const list = Projects.Projects.use((projects) => projects.list());
      const { id } = yield* create();
      const read = Effect.map(list, ({ items }) =>
        items.map(({ counts, lastActivityAt, ...row }) => [row, counts.Open, lastActivityAt]),
      );
      const at = (open: number, time: string) => [
        [{ ...about, paused: false, agentsMay: "resolve" as const }, open, time],
      ];
      assert.deepStrictEqual(yield* read, at(1, "1970-01-01T00:00:00.000Z"));
      yield* TestClock.adjust("1 second");
      yield* Comments.Comments.use((comments) =>
        comments.create(id, { content: "Done.", authorType: "User" }),
      );
      assert.deepStrictEqual(yield* read, at(1, "1970-01-01T00:00:01.000Z"));
      yield* create();
      yield* TestClock.adjust("1 second");
      yield* Issues.Issues.use((issues) => issues.remove(id, { confirm: true }));
      assert.deepStrictEqual(yield* read, at(1, "1970-01-01T00:00:02.000Z"));
      const bound = Callers.as(Callers.user("bob", { projects: ["elsewhere"] }));
      assert.deepStrictEqual(yield* bound(read), []);
    }),
  );

  checkWith(
    Layer.succeed(Directory.Directory, {
      knows: (kind, id) => Effect.succeed(kind !== "project" || id === "known"),
    }),
    "[projects.paused] a project that the host's directory does not know is not found",
    Effect.gen(function* () {
      assert.isTrue((yield* putProject("known", true)).paused);
      assert.deepInclude(yield* refusal(putProject("unknown", true)), {
        _tag: "NotFound",
        resource: "project",
        id: "unknown",
      });
    }),
  );
});
