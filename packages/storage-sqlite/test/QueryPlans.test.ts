import { join } from "node:path";
import { assert, layer } from "@effect/vitest";
import {
  ActivityStore,
  AgentSessionStore,
  AgentStore,
  AttachmentStore,
  CommentStore,
  EventStore,
  IdempotencyStore,
  InboxStore,
  type Issue,
  IssueStore,
  KeyStore,
  LinkStore,
  McpServerStore,
  ProjectStore,
  CallBodyStore,
  EffectStore,
  QuestionStore,
  RunLogStore,
  RunStore,
  SavedViewStore,
  SessionStore,
  StatsStore,
  ToolCallStore,
  Transactor,
  UsageStore,
  VersionStore,
  WebhookStore,
} from "@quartermaster/core";
import { Fixtures, SeededRandom } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { Storage } from "../src/index.ts";
import * as Statements from "./support/Statements.ts";
import { layerClient, tempFolder } from "./support/TestStorage.ts";

const storage = Layer.unwrap(
  Effect.map(tempFolder, (folder) =>
    Layer.provideMerge(Storage.layerStores, layerClient(join(folder, "test.db"))),
  ),
);

const now = Fixtures.at(1_000);

/** More issues than the store checks one by one. */
const filled = Layer.effectDiscard(
  Effect.gen(function* () {
    const { transact } = yield* Transactor.Transactor;
    yield* transact(
      Effect.gen(function* () {
        const issues: Array<Issue.IssueRow> = [];
        for (let n = 0; n < 1_200; n++) {
          issues.push(
            yield* Fixtures.issue({
              projectId: "p",
              assigneeUserId: n < 50 ? "few" : "many",
              assignedAgentId: "agent",
              labels: n < 50 ? ["few", "many"] : ["many"],
              pausedBecause: n < 1_100 ? "person" : null,
            }),
          );
        }
        yield* Fixtures.link(issues[0]!, issues[1]!);
        for (let n = 0; n < 6; n++) {
          yield* Fixtures.comment(issues[0]!.id, { content: "a long comment ".repeat(1_500) });
        }
      }),
    );
  }),
);

const page = { limit: 51, order: "desc", after: null } as const;

layer(Layer.provideMerge(filled, storage).pipe(Layer.provideMerge(SeededRandom.layer)))(
  "query plans",
  (it) => {
    it.effect("no list, lookup or claim scans a table or sorts", () =>
      Effect.gen(function* () {
        const issues = yield* IssueStore.IssueStore;
        const links = yield* LinkStore.LinkStore;
        const comments = yield* CommentStore.CommentStore;
        const versions = yield* VersionStore.VersionStore;
        const questions = yield* QuestionStore.QuestionStore;
        const attachments = yield* AttachmentStore.AttachmentStore;
        const activity = yield* ActivityStore.ActivityStore;
        const events = yield* EventStore.EventStore;
        const agents = yield* AgentStore.AgentStore;
        const bodies = yield* CallBodyStore.CallBodyStore;
        const effects = yield* EffectStore.EffectStore;
        const projects = yield* ProjectStore.ProjectStore;
        const logs = yield* RunLogStore.RunLogStore;
        const runs = yield* RunStore.RunStore;
        const keys = yield* KeyStore.KeyStore;
        const sessions = yield* SessionStore.SessionStore;
        const agentSessions = yield* AgentSessionStore.AgentSessionStore;
        const idempotency = yield* IdempotencyStore.IdempotencyStore;
        const servers = yield* McpServerStore.McpServerStore;
        const calls = yield* ToolCallStore.ToolCallStore;
        const stats = yield* StatsStore.StatsStore;
        const usage = yield* UsageStore.UsageStore;
        const list = (filter: Omit<IssueStore.IssueQuery, "projectId">) =>
          issues.list({ projectId: "p", ...filter }, page);
        const range = { after: 0, until: 100, limit: 10 };

        const asked = Effect.all([
          issues.get("x"),
          list({}),
          list({ status: ["Open"] }),
          list({ priority: ["normal"] }),
          list({ goalId: ["g"] }),
          list({ assigneeId: ["few"] }),
          list({ assigneeId: ["few"], status: ["Open"], priority: ["normal"], goalId: ["g"] }),
          list({ status: ["Open"], priority: ["normal"] }),
          list({ updatedSince: now }),
          list({ updatedSince: Fixtures.at(-1), status: ["Open"] }),
          issues.facts("x", now),
          issues.dependents("x", now),
          issues.openDependents("x", 100),
          issues.listAcross({ projects: null }, page),
          issues.listAcross({ projects: ["p", "q"], status: ["Open"] }, page),
          issues.surroundings(["x", "y"], null, now),
          issues.surroundings(["x", "y"], ["p"], now),
          issues.claimable("agent", null, 50, now),
          issues.isAwaiting("agent", ["p"], now),
          issues.claimable("agent", ["p", "q"], 50, now),
          links.get("x"),
          links.find("RelatedTo", "x", "y"),
          links.list("x", null, page),
          links.list("x", ["p"], page),
          links.path("x", "y"),
          comments.get("x"),
          comments.list("x", page),
          versions.list("x", page),
          versions.since("x", 0, 50),
          questions.get("x"),
          questions.open("x"),
          questions.due(now, 10),
          questions.list({ issueId: "x", now }, page),
          questions.list({ issueId: "x", status: "open", now }, page),
          questions.list({ issueId: "x", status: "expired", now }, page),
          attachments.get("x"),
          attachments.list("x", page),
          attachments.discarded(10),
          activity.list("x", ["p"], page),
          events.lastSeq,
          events.seqOf("x"),
          events.list({ projects: null, kinds: null }, range),
          events.list({ projects: ["p"], kinds: ["issue.created"] }, range),
          events.list({ projects: ["p", "q"], kinds: null }, range),
          agents.get("x"),
          agents.isAssigned("x"),
          agents.list(null, now, page),
          agents.list(["p"], now, page),
          runs.get("x"),
          runs.notEnded("agent"),
          runs.notEndedIn("p"),
          projects.isPaused("p"),
          runs.expired(now, 10),
          runs.ofIssue("x"),
          runs.list({ agentId: "agent", projects: ["p"], now }, page),
          runs.list({ agentId: "agent", status: "active", projects: null, now }, page),
          runs.list({ agentId: "agent", status: "ended", projects: null, now }, page),
          runs.list({ projects: null, now }, page),
          runs.list({ projectId: "p", projects: null, now }, page),
          logs.get("x"),
          logs.list("x", 10, 16),
          logs.before("x", "runner", 10),
          logs.lastSeq,
          logs.bytesOf(["x", "y"]),
          logs.notes("x"),
          bodies.get("x"),
          bodies.notUnder("x", null, 10),
          effects.issue("x"),
          effects.equal("x", "y"),
          effects.get("x"),
          effects.list("x", 50),
          effects.overdue(now, 10),
          keys.get("x"),
          keys.list(["Admin", "Owner"], page),
          keys.owners(now),
          sessions.get("x"),
          sessions.count("key", now),
          agentSessions.isEnded("key", "x"),
          idempotency.get("x", "y"),
          servers.get("x"),
          servers.getByName("x"),
          servers.secrets("x"),
          servers.secretsNotUnder("x", null, 100),
          servers.secretsNotUnder("x", { serverId: "x", name: "y" }, 100),
          servers.tools("x"),
          servers.grants("agent"),
          servers.offer("x", "agent"),
          usage.reports("x", ["a"]),
          usage.sessions("agent", ["s"]),
          stats.cursor("events"),
          stats.list({ bucket: "hour", kind: "events", ids: [""], from: now, to: now }),
          stats.staysSince([{ issueId: "x", endedAt: now }]),
          stats.handIns([{ issueId: "x", since: now }]),
          stats.runs(["x"]),
          stats.staying({ projects: ["p"], status: "Open", share: 1 }),
          calls.list({}, page),
          calls.list({ agentId: "agent" }, page),
          calls.list({ serverId: "x" }, page),
          calls.list({ agentId: "agent", serverId: "x" }, page),
        ]);
        for (const { steps, text } of yield* Statements.plansOf(asked)) {
          assert.deepStrictEqual(Statements.dear(steps), [], `${text}\n${steps.join("\n")}`);
        }
      }),
    );

    it.effect("lists with filters read an index in the order of the list, or sort few issues", () =>
      Effect.gen(function* () {
        const issues = yield* IssueStore.IssueStore;
        const after = { seq: 900, updatedAt: now, priority: "normal" } as const;
        const ready = { is: true, now };
        const filters: ReadonlyArray<Omit<IssueStore.IssueQuery, "projectId">> = [
          {},
          { status: ["Open"] },
          { status: ["Open", "InProgress", "Closed"] },
          { label: [["many"]] },
          { label: [["many"], ["few"]], status: ["Open"] },
          { label: [["many", "few"]], "not.label": ["few"] },
          { paused: true },
          { paused: false },
          { ready },
          { ready: { ...ready, is: false }, priority: ["normal", "low"] },
          { externalRef: "x" },
          { assigneeId: ["many"], goalId: ["g"] },
          { assigneeId: ["many", "few"], updatedSince: Fixtures.at(-1) },
          { agentId: "agent", label: [["many"]] },
          { has: { any: ["question"], now } },
          { has: { any: ["files"], now } },
          { has: { any: ["failure"], now } },
          { has: { any: ["question", "files", "failure"], now }, status: ["Open"] },
          { "not.has": { any: ["question", "files"], now }, "not.status": ["Closed"] },
          { silentAgent: { is: true, since: now } },
          { silentAgent: { is: false, since: now }, "not.assigneeId": ["few"] },
          { updatedBefore: now, "not.goalId": ["g"] },
          { createdAfter: Fixtures.at(-1) },
          { createdAfter: now, "not.priority": ["low"] },
        ];
        for (const filter of filters) {
          for (const sort of ["created", "updated", "priority"] as const) {
            for (const slice of [page, { ...page, order: "asc", after }] as const) {
              const asked = Effect.all([
                issues.list({ projectId: "p", ...filter, sort }, slice),
                issues.listAcross({ projects: null, ...filter, sort }, slice),
              ]);
              for (const { steps, text } of yield* Statements.plansOf(asked)) {
                // At most 1,000 issues, whose `seq` is in the statement or comes from one index.
                const isCollected = steps.includes(
                  "SEARCH issues USING INTEGER PRIMARY KEY (rowid=?)",
                );
                const dear = Statements.dear(steps).filter(
                  (step) =>
                    !step.startsWith("SCAN issue_counts") &&
                    !(isCollected && step === "USE TEMP B-TREE FOR ORDER BY"),
                );
                assert.deepStrictEqual(dear, [], `${text}\n${steps.join("\n")}`);
              }
            }
          }
        }
      }),
    );

    it.effect("a page of the inbox reads partial indexes of few rows, and sorts pages only", () =>
      Effect.gen(function* () {
        const inbox = yield* InboxStore.InboxStore;
        const after = { priority: "high", since: now, id: "x" } as const;
        const expected =
          /^SCAN (\w+ USING (COVERING )?INDEX (questions_inbox|issues_review|issues_stuck|agents_paused|runs_agent_held)|paused_projects|b|m)$|^USE TEMP B-TREE FOR ORDER BY$/;
        for (const projects of [null, ["p", "q"]]) {
          for (const slice of [page, { ...page, order: "asc", after }] as const) {
            const query = { projects, now, silentSince: now };
            const asked = Effect.all([
              inbox.questions(query, slice),
              inbox.mentions({ ...query, name: "ada" }, slice),
              inbox.reviews(query, slice),
              inbox.paused("failed", query, slice),
              inbox.roots(query, slice),
              inbox.silentAgents(query, slice),
            ]);
            for (const { steps, text } of yield* Statements.plansOf(asked)) {
              const dear = Statements.dear(steps).filter((step) => !expected.test(step));
              assert.deepStrictEqual(dear, [], `${text}\n${steps.join("\n")}`);
            }
          }
        }
      }),
    );

    it.effect(
      "a page of projects reads them in their order, and one entry of an index per project",
      () =>
        Effect.gen(function* () {
          const projects = yield* ProjectStore.ProjectStore;
          const expected = new Set(["SCAN projects", "SCAN listed"]);
          for (const visible of [null, ["p", "q"]]) {
            for (const slice of [
              { limit: 51, order: "asc", after: null },
              { limit: 51, order: "desc", after: "p" },
            ] as const) {
              for (const { steps, text } of yield* Statements.plansOf(
                projects.list(visible, slice),
              )) {
                const dear = Statements.dear(steps).filter((step) => !expected.has(step));
                assert.deepStrictEqual(dear, [], `${text}\n${steps.join("\n")}`);
              }
            }
          }
        }),
    );

    it.effect("a page of saved views reads the owner's and the projects', and sorts these", () =>
      Effect.gen(function* () {
        const views = yield* SavedViewStore.SavedViewStore;
        const asked = Effect.all([
          views.list({ owner: Fixtures.alice, projects: ["p", "q"] }, { ...page, after: 7 }),
          views.countOwn(Fixtures.alice),
          views.countShared("p"),
        ]);
        for (const { steps, text } of yield* Statements.plansOf(asked)) {
          const dear = Statements.dear(steps).filter(
            (step) => step !== "USE TEMP B-TREE FOR ORDER BY",
          );
          assert.deepStrictEqual(dear, [], `${text}\n${steps.join("\n")}`);
          assert.match(steps.join("\n"), /saved_views_(own|project)/);
        }
      }),
    );

    it.effect("deliveries to webhooks are found by their indexes, in the order of their use", () =>
      Effect.gen(function* () {
        const webhooks = yield* WebhookStore.WebhookStore;
        const { transact } = yield* Transactor.Transactor;
        const asked = Effect.all([
          webhooks.delivery("x"),
          webhooks.deliveries("x", {}, page),
          webhooks.deliveries("x", { status: "failed" }, page),
          webhooks.attempted("x"),
          webhooks.due("x", "first", now, 4),
          webhooks.due("x", "retry", now, 4),
          webhooks.claimed("x"),
          webhooks.waiting("x", 10),
          webhooks.succeededSince("x", now),
          webhooks.oldestPending,
          transact(webhooks.prune(Fixtures.at(-1), 10)),
          transact(webhooks.removeDeliveries("x", 10)),
        ]);
        for (const { steps, text } of yield* Statements.plansOf(asked)) {
          assert.deepStrictEqual(Statements.dear(steps), [], `${text}\n${steps.join("\n")}`);
        }
        const [due] = yield* Statements.plansOf(webhooks.withDue(now));
        const plan = due?.steps.join("\n") ?? "";
        assert.match(plan, /SEARCH d USING (COVERING )?INDEX webhook_deliveries_first/);
        assert.match(plan, /SEARCH d USING (COVERING )?INDEX webhook_deliveries_retry/);
      }),
    );

    it.effect("a graph reads the links of its issues by an index, and sorts only these", () =>
      Effect.gen(function* () {
        const links = yield* LinkStore.LinkStore;
        const issueIds = ["x", "y"];
        const asked = Effect.all([
          links.neighbors({ issueIds, side: "blockers", projects: null, limit: 10 }),
          links.neighbors({ issueIds, side: "dependents", projects: ["p"], limit: 10 }),
          links.edges(issueIds),
        ]);
        for (const { steps, text } of yield* Statements.plansOf(asked)) {
          const dear = Statements.dear(steps).filter(
            (step) => !step.startsWith("USE TEMP B-TREE FOR"),
          );
          assert.deepStrictEqual(dear, [], `${text}\n${steps.join("\n")}`);
          assert.match(steps.join("\n"), /SEARCH links USING INDEX links_(blockers|dependents)/);
        }
      }),
    );

    it.effect(
      "usage of a run and of an issue reads its hours, usage of groups reads days and months",
      () =>
        Effect.gen(function* () {
          const usage = yield* UsageStore.UsageStore;
          const slice = { limit: 51, order: "asc", after: "a" } as const;
          const planOf = Effect.fnUntraced(function* (asked: Effect.Effect<unknown, unknown>) {
            const steps = (yield* Statements.plansOf<unknown, unknown, never>(asked)).flatMap(
              (plan) => plan.steps,
            );
            const dear = Statements.dear(steps).filter(
              (step) =>
                !/^USE TEMP B-TREE FOR|^SCAN (usage_runs|runs) USING COVERING INDEX/.test(step),
            );
            assert.deepStrictEqual(dear, [], steps.join("\n"));
            return steps.join("\n");
          });
          const groups = (query: Partial<UsageStore.UsageQuery>) =>
            planOf(usage.groups({ groupBy: "agent", projects: null, ...query }, slice));
          assert.match(
            yield* planOf(usage.ofRuns(["x", "y"])),
            /SEARCH usage_hours USING PRIMARY KEY \(run_id=/,
          );
          const ofIssue = /SEARCH usage_hours USING INDEX usage_hours_issue/;
          const some = { from: "2026-10-03T10:00:00.000Z", to: "2026-12-03T10:00:00.000Z" };
          for (const filter of [{}, { agentId: "agent" }, { projectId: "p" }]) {
            for (const query of [filter, { ...filter, ...some }]) {
              assert.match(yield* groups({ groupBy: "issue", issueId: "x", ...query }), ofIssue);
              assert.match(yield* groups({ groupBy: "issue", ...query }), ofIssue);
            }
            for (const groupBy of ["agent", "project", "model", "day"] as const) {
              const all = yield* groups({ groupBy, ...filter });
              assert.match(all, /SEARCH usage_sums USING/);
              assert.notMatch(all, /usage_hours/);
              const steps = yield* groups({ groupBy, ...filter, ...some });
              assert.match(steps, /SEARCH usage_sums USING/);
              assert.match(
                steps,
                /SEARCH usage_hours USING INDEX usage_hours_(agent|project|starts)/,
              );
            }
          }
        }),
    );

    it.effect("lists of everything scan their table once, in order", () =>
      Effect.gen(function* () {
        const servers = yield* McpServerStore.McpServerStore;
        const agents = yield* AgentStore.AgentStore;
        const scans = (steps: ReadonlyArray<Statements.Step>) =>
          Statements.dear(steps).map((step) => step.replace(/ USING .*/, ""));
        for (const [whole, asked] of [
          ["mcp_servers", servers.list],
          ["agents", servers.access("x")],
          ["agents", agents.count],
        ] as const) {
          for (const { steps } of yield* Statements.plansOf<unknown, unknown, never>(asked)) {
            assert.deepStrictEqual(scans(steps), [`SCAN ${whole}`], steps.join("\n"));
          }
        }
        const page = { limit: 51, order: "desc", after: "b" } as const;
        for (const indexed of [agents.countSince(now), servers.access("x", page)]) {
          for (const { steps } of yield* Statements.plansOf<unknown, unknown, never>(indexed)) {
            assert.deepStrictEqual(scans(steps), [], steps.join("\n"));
          }
        }
      }),
    );

    it.effect(
      "changes and removals of agents, servers, sessions, keys and old calls use an index",
      () =>
        Effect.gen(function* () {
          const servers = yield* McpServerStore.McpServerStore;
          const stats = yield* StatsStore.StatsStore;
          const calls = yield* ToolCallStore.ToolCallStore;
          const sessions = yield* SessionStore.SessionStore;
          const agentSessions = yield* AgentSessionStore.AgentSessionStore;
          const keys = yield* KeyStore.KeyStore;
          const { transact } = yield* Transactor.Transactor;
          const server = yield* transact(Fixtures.server());
          const agents = yield* AgentStore.AgentStore;
          const projects = yield* ProjectStore.ProjectStore;
          const changed = transact(
            Effect.all([
              agents.update({
                id: "agent",
                name: "a",
                paused: true,
                toolMode: "direct",
                callsNeedRun: false,
              }),
              agents.remove("agent"),
              projects.setPaused("p", true),
              projects.setPaused("p", false),
              servers.update(server),
              servers.putSecrets([Fixtures.secretRow(server.id, "KEY")]),
              servers.removeSecrets(server.id, ["KEY"]),
              servers.putTools(server.id, [Fixtures.toolRow("a", 0)]),
              servers.putAccess(server.id, [Fixtures.accessRow("agent")]),
              calls.prune(now, 1_000),
              stats.put("events", 1, []),
              stats.prune(now, 1_000),
              sessions.remove("x"),
              agentSessions.end("key", "x"),
              keys.remove("key"),
              servers.remove(server.id),
            ]),
          );
          for (const { steps, text } of yield* Statements.plansOf(changed)) {
            assert.deepStrictEqual(Statements.dear(steps), [], `${text}\n${steps.join("\n")}`);
          }
        }),
    );
  },
);
