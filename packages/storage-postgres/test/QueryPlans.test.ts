import { assert, layer } from "@effect/vitest";
import {
  ActivityStore,
  AgentStore,
  CommentStore,
  InboxStore,
  IssueStore,
  LinkStore,
  ProjectStore,
  QuestionStore,
  RunStore,
  Transactor,
  VersionStore,
  WebhookStore,
} from "@quartermaster/core";
import { Fixtures, SeededRandom } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { SqlClient, Statement } from "effect/sql";
import * as ManyIssues from "./support/ManyIssues.ts";
import * as Plans from "./support/Plans.ts";
import { layerFilled, withServer } from "./support/TestStorage.ts";

const now = Fixtures.at(200_000);
const page = { limit: 51, order: "desc", after: null } as const;
const after = {
  seq: 50_000,
  updatedAt: Fixtures.at(50_000),
  priority: "normal",
  id: "iss_50000",
  tier: 0,
} as const;

/** Tables with a row for each issue. */
const large = new Set([
  "activity",
  "comments",
  "events",
  "issue_labels",
  "issue_text",
  "issues",
  "links",
  "questions",
  "runs",
  "webhook_deliveries",
]);

/** Asserts that no statement scans a large table, or reads more pages. */
const check = Effect.fnUntraced(function* <A, E, R>(most: number, asked: Effect.Effect<A, E, R>) {
  for (const { json, mode, pages, scanned, text } of yield* Plans.plansOf(asked)) {
    const dear = scanned.filter((table) => large.has(table));
    assert.deepStrictEqual(dear, [], `${text}\n${mode}\n${json}`);
    assert.isAtMost(pages, most, `${text}\n${mode}\n${json}`);
  }
});

/** The texts among the parameters of an effect's statements. */
const paramsOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const params: Array<unknown> = [];
  yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      params.push(...statement.compile()[1]);
      return statement;
    }),
  );
  return params.filter((param) => typeof param === "string");
});

const issueCount = process.env["QM_LONG"] === "1" ? 100_000 : 25_000;

const storage = Layer.merge(
  layerFilled([
    ...ManyIssues.statements(issueCount),
    ...ManyIssues.deliveries(issueCount),
    // As autovacuum does.
    "VACUUM issues, issue_labels",
  ]),
  SeededRandom.layer,
);

withServer(() => {
  layer(storage, { timeout: 300_000 })(`query plans with ${issueCount} issues`, (it) => {
    it.effect("lookups, claims and the lists of an issue read few pages", () =>
      Effect.gen(function* () {
        const issues = yield* IssueStore.IssueStore;
        const links = yield* LinkStore.LinkStore;
        const comments = yield* CommentStore.CommentStore;
        const versions = yield* VersionStore.VersionStore;
        const activity = yield* ActivityStore.ActivityStore;
        const questions = yield* QuestionStore.QuestionStore;
        const runs = yield* RunStore.RunStore;
        const agents = yield* AgentStore.AgentStore;
        const asked = Effect.all([
          issues.get("iss_5"),
          issues.idOfExternalRef("p", "ref_10"),
          issues.facts("iss_11", now),
          issues.dependents("iss_10", now),
          issues.openDependents("iss_10", 100),
          issues.surroundings(["iss_10", "iss_11"], ["p"], now),
          issues.isAwaiting("agent_3", ["p"], now),
          issues.deferredUntil("agent_3", ["p"], now),
          issues.countByStatus(["p"]),
          links.get("link_10"),
          links.find("RelatedTo", "iss_10", "iss_11"),
          links.path("iss_10", "iss_80"),
          links.list("iss_10", ["p"], page),
          links.edges(["iss_10", "iss_11"]),
          links.neighbors({ issueIds: ["iss_10"], side: "blockers", projects: ["p"], limit: 10 }),
          comments.get("com_5"),
          comments.list("iss_10", page),
          versions.list("iss_10", page),
          versions.since("iss_10", 0, 50),
          activity.list("iss_10", ["p"], page),
          questions.get("qst_10"),
          questions.open("iss_10"),
          questions.due(now, 10),
          questions.list({ issueId: "iss_10", now, status: "open" }, page),
          runs.get("run_5"),
          runs.notEnded("agent_3"),
          runs.expired(now, 50),
          agents.isAssigned("agent_3"),
        ]);
        yield* check(500, asked);
        yield* check(1_000, issues.claimable("agent_3", null, 50, now));
        yield* check(1_000, issues.claimable("agent_3", ["p", "q1"], 50, now));
        yield* check(1_000, agents.idleHeartbeat("agent_3", ["p", "q1"], now));
      }),
    );

    it.effect("a page of a list reads an index in the order of the list, or sorts few issues", () =>
      Effect.gen(function* () {
        const issues = yield* IssueStore.IssueStore;
        const filters: ReadonlyArray<Omit<IssueStore.IssueQuery, "projectId">> = [
          {},
          { status: ["Open"] },
          { status: ["Open", "InProgress", "Closed"], label: [["many"]] },
          { label: [["many"], ["few"]], status: ["Open"] },
          { label: [["many", "few"]], "not.label": ["few"] },
          { paused: true },
          { ready: { is: true, now } },
          { externalRef: "ref_10" },
          { goalId: ["goal_1"], assigneeId: ["many"] },
          { assigneeId: ["few"] },
          { assigneeId: ["many", "agent_3"], goalId: ["goal_1", "goal_2"] },
          { agentId: "agent_3", label: [["many"]] },
          { updatedSince: Fixtures.at(104_900) },
          { updatedBefore: Fixtures.at(issueCount - 1_000), "not.goalId": ["goal_1"] },
          { has: { any: ["question"], now } },
          { has: { any: ["files"], now } },
          { has: { any: ["failure"], now } },
          { has: { any: ["question", "files"], now }, priority: ["high", "low"] },
          { "not.has": { any: ["question", "files"], now }, "not.status": ["Closed"] },
          { silentAgent: { is: true, since: Fixtures.at(500) } },
          { silentAgent: { is: false, since: Fixtures.at(500) }, "not.assigneeId": ["few"] },
          { createdAfter: Fixtures.at(10_000) },
          { createdAfter: Fixtures.at(issueCount - 100), "not.priority": ["low"] },
        ];
        for (const filter of filters) {
          // Each issue that is passed over, up to 2,000, has a lookup of its questions.
          const most = filter.has === undefined ? 3_000 : 8_000;
          for (const sort of ["created", "updated", "priority"] as const) {
            for (const slice of [page, { ...page, order: "asc", after }] as const) {
              yield* check(most, issues.list({ projectId: "p", ...filter, sort }, slice));
            }
          }
        }
      }),
    );

    it.effect("a search reads the index of words, for rare and for common words", () =>
      Effect.gen(function* () {
        const issues = yield* IssueStore.IssueStore;
        const rare = [
          { words: ["rare100"] },
          { words: ["roof", "rare100"], status: ["Open"] },
        ] as const;
        const common = [{ words: ["roof"] }, { words: ["roof"], label: [["many"]] }] as const;
        for (const slice of [page, { ...page, order: "asc", after }] as const) {
          for (const sort of ["relevance", "priority"] as const) {
            for (const query of rare) {
              yield* check(500, issues.search({ projects: ["p"], ...query, sort }, slice));
            }
            // Up to 4,000 issues of a tier, each with its row and its labels.
            for (const query of common) {
              yield* check(20_000, issues.search({ projects: ["p"], ...query, sort }, slice));
            }
          }
        }
        // The start of a word that all issues have finds only longer words, which none has.
        const sql = yield* SqlClient.SqlClient;
        const longer = yield* paramsOf(
          issues.search({ projects: null, words: ["rare100", "roof"], sort: "relevance" }, page),
        );
        const starts = longer.flatMap((param) => param.match(/'[^']+':\*/g) ?? []);
        assert.isAbove(starts.length, 0);
        for (const start of starts) {
          const query = start.replace("#", "1");
          assert.deepStrictEqual(
            yield* sql`SELECT count(*) FROM issue_text WHERE body @@ ${query}::tsquery`.values,
            [[0]],
            start,
          );
        }
      }),
    );

    it.effect("a page of the inbox or of projects reads partial indexes of few rows", () =>
      Effect.gen(function* () {
        const inbox = yield* InboxStore.InboxStore;
        const list = yield* ProjectStore.ProjectStore;
        const key = { priority: "high", since: Fixtures.at(50_000), id: "iss_5000" } as const;
        for (const projects of [null, ["p", "q1"]]) {
          for (const slice of [page, { ...page, order: "asc", after: key }] as const) {
            const query = { projects, now, silentSince: Fixtures.at(500), haltedSince: now };
            yield* check(2_000, inbox.questions(query, slice));
            yield* check(2_000, inbox.mentions({ ...query, name: "ada" }, slice));
            yield* check(2_000, inbox.reviews(query, slice));
            yield* check(2_000, inbox.paused("failed", query, slice));
            yield* check(3_000, inbox.roots(query, slice));
            yield* check(2_000, inbox.unknownEffects(query, slice));
            yield* check(2_000, inbox.haltedAgents(query, slice));
            // 500 agents are silent.
            yield* check(15_000, inbox.silentAgents(query, slice));
          }
          yield* check(500, list.list(projects, { limit: 51, order: "asc", after: null }));
        }
      }),
    );

    it.effect("deliveries to webhooks are found by their indexes, in the order of their use", () =>
      Effect.gen(function* () {
        const webhooks = yield* WebhookStore.WebhookStore;
        const { transact } = yield* Transactor.Transactor;
        for (const id of ["whk_0", "whk_1", "whk_none"]) {
          const ofWebhook = Effect.all([
            webhooks.deliveries(id, {}, page),
            webhooks.deliveries(id, { status: "failed" }, page),
            webhooks.deliveries(id, { eventId: "evt_10" }, page),
            webhooks.attempted(id),
            webhooks.due(id, "first", now, 4),
            webhooks.due(id, "retry", now, 4),
            webhooks.claimed(id),
            webhooks.succeededSince(id, Fixtures.at(0)),
            webhooks.waiting(id, 10),
          ]);
          yield* check(200, ofWebhook);
        }
        const asked = [webhooks.delivery("dlv_10"), webhooks.withDue(now), webhooks.oldestPending];
        yield* check(200, Effect.all(asked));
        // It counts all entries that wait, at most 100,001, and these stand on most pages of the table.
        yield* check(issueCount * 0.06, webhooks.waiting("whk_0", 100_001));
        const writes = Effect.all([
          webhooks.skip("whk_0", "reason", now, 10),
          webhooks.prune(Fixtures.at(1_000), 10),
          webhooks.removeDeliveries("whk_2", 10),
          webhooks.skip("whk_none", "reason", now, 10),
          webhooks.removeDeliveries("whk_none", 10),
        ]);
        yield* check(200, transact(writes));
      }),
    );
  });
});
