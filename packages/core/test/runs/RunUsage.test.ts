import { assert, describe } from "@effect/vitest";
import {
  CurrentRun,
  Housekeeping,
  Issues,
  RunRecords,
  Runs,
  RunUsage,
  UsageStore,
  type UsageReport,
  Workers,
} from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import { check, executing, finish, put, refusal, turn } from "../support/World.ts";

const { RunUsage: Service } = RunUsage;

const one = (
  key: string,
  overrides: Partial<UsageReport.UsageReport> = {},
): UsageReport.UsageReport => ({
  key,
  model: "m",
  inputTokens: 100,
  outputTokens: 10,
  ...overrides,
});

const report = (runId: string, usage: ReadonlyArray<UsageReport.UsageReport>, agentId = "bot") =>
  Service.use((service) => service.report(agentId, runId, { usage }));
const inputOf = (runId: string) =>
  Effect.map(
    RunRecords.RunRecords.use((records) => records.get(runId)),
    ({ usage }) => usage?.inputTokens ?? null,
  );
const list = (request: Parameters<RunUsage.RunUsage["Service"]["list"]>[0]) =>
  Effect.map(
    Service.use((service) => service.list(request)),
    ({ items }) => items,
  );

describe("RunUsage", () => {
  check(
    "[usage.run] a run and its issue have the sums of its reports, and null before",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      const ofIssue = Service.use((service) => service.ofIssue(issue.id));
      const none = { requests: 0, inputTokens: 0, costMicros: 0, requestsWithoutCost: 0 };
      assert.deepInclude(yield* ofIssue, { key: issue.id, runs: 1, ...none, runsWithoutUsage: 1 });
      assert.isNull(yield* report(runId, []));
      assert.isNull(yield* inputOf(runId));
      const usage = [
        one("1", { costMicros: 700, cacheReadTokens: 60, cacheWriteTokens: 30 }),
        one("2", { model: "n", reasoningTokens: 4, requests: 3, outputTokens: 500 }),
      ];
      const sums = {
        requests: 4,
        inputTokens: 200,
        outputTokens: 510,
        cacheReadTokens: 60,
        cacheWriteTokens: 30,
        reasoningTokens: 4,
        costMicros: 700,
        requestsWithoutCost: 3,
      };
      assert.deepStrictEqual(yield* report(runId, usage), { ...sums, models: ["n", "m"] });
      const { usage: shown } = yield* RunRecords.RunRecords.use((records) => records.get(runId));
      assert.deepStrictEqual(shown, { ...sums, models: ["n", "m"] });
      const issueUsage = { key: issue.id, runs: 1, ...sums, runsWithoutUsage: 0 };
      assert.deepStrictEqual(yield* ofIssue, issueUsage);
      const [inList] = (yield* Runs.Runs.use((runs) => runs.list("bot"))).items;
      assert.strictEqual(inList?.usage?.inputTokens, 200);
      yield* Issues.Issues.use((issues) => issues.remove(issue.id, { confirm: true }));
      assert.strictEqual((yield* refusal(ofIssue))._tag, "NotFound");
      assert.deepStrictEqual(yield* list({ groupBy: "issue" }), [issueUsage]);
    }),
  );

  check(
    "[usage.refused] a turn and a hand-in count their usage even if they are refused, and a bad key refuses them",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      const runs = yield* Runs.Runs;
      yield* runs.turn("bot", runId, { usage: [one("1")] });
      const other = [one("1", { inputTokens: 5 }), one("2")];
      const bad = yield* refusal(runs.turn("bot", runId, { usage: other, note: "Reading" }));
      assert.deepInclude(bad, { _tag: "UsageKey", key: "1" });
      const finishing = (usage: ReadonlyArray<UsageReport.UsageReport>) =>
        refusal(runs.finish("bot", runId, { outcome: "resolved", usage }));
      assert.strictEqual((yield* finishing(other))._tag, "UsageKey");
      assert.strictEqual(yield* inputOf(runId), 100);
      yield* put(issue.id, { status: "Closed" });
      assert.strictEqual((yield* finishing([one("2")]))._tag, "RunEnded");
      assert.strictEqual(
        (yield* refusal(runs.turn("bot", runId, { usage: [one("3")] })))._tag,
        "RunEnded",
      );
      assert.strictEqual(yield* inputOf(runId), 300);
      yield* TestClock.adjust("10 minutes");
      yield* report(runId, [one("4")]);
      yield* TestClock.adjust("1 second");
      assert.strictEqual((yield* refusal(report(runId, [one("5")])))._tag, "RunEnded");
      assert.strictEqual((yield* finishing([one("5")]))._tag, "RunEnded");
      assert.strictEqual(yield* inputOf(runId), 400);
    }),
  );

  check(
    "[usage.refused] a hand-in that acts for a run that is over counts the usage of the run that it hands in",
    Effect.gen(function* () {
      const ended = yield* executing();
      yield* finish(ended.runId, "failed");
      const { runId } = yield* executing();
      const runs = yield* Runs.Runs;
      const acting = { id: ended.runId, agentId: "bot" };
      const call = runs
        .finish("bot", runId, { outcome: "resolved", usage: [one("1")] })
        .pipe(Effect.provideService(CurrentRun.CurrentRun, acting));
      assert.strictEqual((yield* refusal(call))._tag, "RunEnded");
      assert.strictEqual(yield* inputOf(runId), 100);
      assert.strictEqual((yield* turn(runId)).action, "continue");
    }),
  );

  check(
    "[usage.refused] a worker with a shared id whose stop refuses its hand-in reports for the run of the stop",
    Effect.gen(function* () {
      const workers = yield* Workers.Workers;
      const bot = Callers.as(Callers.agent("bot"));
      const worker = { id: "key:1", runId: null, isShared: true };
      yield* Issues.Issues.use((issues) =>
        issues.create("project", { title: "Mend", assignedAgentId: "bot" }),
      );
      const { run } = yield* bot(workers.next("bot", worker));
      const runId = run?.runId ?? "";
      yield* put(run?.issueId ?? "", { status: "Closed" });
      const turned = yield* bot(workers.turn("bot", worker, undefined, { usage: [one("1")] }));
      assert.strictEqual(turned.action, "stop");
      const body = { outcome: "resolved", usage: [one("2")] } as const;
      const refused = yield* refusal(bot(workers.finish("bot", worker, body)));
      assert.strictEqual(refused._tag, "RunEnded");
      assert.strictEqual(yield* inputOf(runId), 200);
    }),
  );

  check(
    "[usage.source] a run counts only its best source, whenever it reports",
    Effect.gen(function* () {
      const { runId } = yield* executing();
      yield* report(runId, [one("1", { source: "otlp" }), one("2")]);
      assert.strictEqual(yield* inputOf(runId), 100);
      yield* TestClock.adjust("1 minute");
      yield* report(runId, [one("3", { source: "runner", inputTokens: 7 })]);
      yield* report(runId, [one("4", { source: "host" })]);
      assert.strictEqual(yield* inputOf(runId), 7);
      const [day] = yield* list({});
      assert.deepInclude(day, { key: "1970-01-01", runs: 1, inputTokens: 7, requests: 1 });
    }),
  );

  check(
    "[usage.who] only who may act for the agent reports; others see usage of their projects",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      yield* report(runId, [one("1")]).pipe(Callers.as(Callers.agent("bot")));
      const as = (principal: Parameters<typeof Callers.as>[0], agentId = "bot") =>
        Effect.map(
          refusal(Callers.as(principal)(report(runId, [one("2")], agentId))),
          ({ _tag }) => _tag,
        );
      assert.strictEqual(yield* as(Callers.agent("other")), "Forbidden");
      assert.strictEqual(yield* as(Callers.agent("other"), "other"), "NotFound");
      assert.strictEqual(yield* as(Callers.user("v", { role: "Viewer" })), "Forbidden");
      const hidden = Callers.user("h", { projects: ["else"] });
      assert.strictEqual(yield* as(hidden), "Forbidden");
      assert.deepStrictEqual(yield* list({}).pipe(Callers.as(hidden)), []);
      const ofIssue = Service.use((service) => service.ofIssue(issue.id));
      assert.strictEqual((yield* refusal(Callers.as(hidden)(ofIssue)))._tag, "NotFound");
    }),
  );

  check(
    "[usage.list] groups cover whole hours, by day by default, in pages",
    Effect.gen(function* () {
      const { runId } = yield* executing();
      yield* TestClock.adjust("90 minutes");
      const second = yield* executing("other");
      yield* report(second.runId, [one("1"), one("2", { model: "a" })], "other");
      const from = "1970-01-01T01:59:00.000Z";
      const to = "1970-01-01T01:01:00.000Z";
      const groups = { runs: 1, inputTokens: 200, runsWithoutUsage: 0 };
      assert.deepInclude((yield* list({ from }))[0], groups);
      assert.deepInclude((yield* list({ from, to: "1970-01-01T02:00:00.000Z" }))[0], groups);
      assert.deepInclude((yield* list({ to }))[0], { ...groups, runs: 2, runsWithoutUsage: 1 });
      const hour = "1970-01-01T01:00:00.000Z";
      assert.deepInclude((yield* list({ to: hour }))[0], { runs: 1, runsWithoutUsage: 1 });
      assert.deepStrictEqual(yield* list({ from: "1970-01-01T02:00:00.000Z" }), []);
      const page = yield* Service.use((service) => service.list({ groupBy: "model", limit: 1 }));
      assert.deepStrictEqual([page.items[0]?.key, page.items.length], ["a", 1]);
      const rest = yield* list({ groupBy: "model", limit: 1, cursor: page.next ?? "" });
      assert.deepStrictEqual(
        rest.map(({ key }) => key),
        ["m"],
      );
      assert.notStrictEqual(runId, second.runId);
    }),
  );

  check(
    "[usage.days] sums stay for 400 days",
    Effect.gen(function* () {
      const { runId } = yield* executing();
      yield* report(runId, [one("1", { cumulative: true, session: "s" })]);
      yield* finish(runId, "review");
      const store = yield* UsageStore.UsageStore;
      const tidy = Housekeeping.Housekeeping.use(({ once }) => once);
      yield* TestClock.adjust("399 days");
      // Without a recent change, the first hour removes nothing by age.
      yield* tidy;
      yield* TestClock.adjust("2 hours");
      yield* tidy;
      assert.strictEqual((yield* list({}))[0]?.inputTokens, 100);
      assert.deepStrictEqual(yield* store.reports(runId, ["1"]), []);
      yield* TestClock.adjust("1 day");
      yield* tidy;
      assert.deepStrictEqual(yield* list({ groupBy: "agent" }), []);
      assert.deepStrictEqual(yield* store.sessions("bot", ["s"]), []);
    }),
  );
});
