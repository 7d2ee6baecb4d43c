import { assert, describe } from "@effect/vitest";
import {
  ActivityStore,
  EventStore,
  Housekeeping,
  Issue,
  Issues,
  type Principal,
  Stats,
  StatsStore,
  Timestamp,
  ToolCallStore,
  Transactor,
} from "@quartermaster/core";
import { Callers, Fixtures } from "@quartermaster/testing";
import { Effect, Fiber } from "effect";
import { TestClock } from "effect/testing";
import { alice, check, create, executing, finish, heartbeat, link, put } from "../support/World.ts";

type Request = Parameters<Stats.Stats["Service"]["get"]>[0];

/** Reads the statistics without counting first. */
const get = (request?: Request) => Stats.Stats.use((stats) => stats.get(request));

const counted = (request?: Request) =>
  Stats.Stats.use((stats) => Effect.andThen(stats.fold, stats.get(request)));

const nothing = { created: 0, resolved: 0, closed: 0, failed: 0, expired: 0 };

/** The elements of a series that are not empty. */
const busy = ({ series }: Effect.Success<ReturnType<typeof get>>) =>
  series.filter((element) =>
    Object.entries(element).some(([name, value]) => name !== "at" && value !== 0),
  );

const within = (actual: number | null, expected: number) => {
  assert.isNotNull(actual);
  assert.closeTo(actual ?? Number.NaN, expected, expected * 0.1);
};

const none = { median: null, p90: null };

describe("Stats", () => {
  check(
    "[stats.window] a window is whole hours, or days for 30d, up to the end of the current one",
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-10T15:59:59.999Z"));
      const ranges = [
        ["24h", "hour", "2026-03-09T16", "2026-03-10T16", 24, "2026-03-10T15"],
        ["7d", "hour", "2026-03-03T16", "2026-03-10T16", 168, "2026-03-10T15"],
        ["30d", "day", "2026-02-09T00", "2026-03-11T00", 30, "2026-03-10T00"],
      ] as const;
      for (const [window, bucket, from, to, length, last] of ranges) {
        const stats = yield* get({ window });
        assert.deepInclude(stats, {
          window,
          bucket,
          from: `${from}:00:00.000Z`,
          to: `${to}:00:00.000Z`,
          asOf: "2026-03-10T15:59:59.999Z",
        });
        assert.lengthOf(stats.series, length);
        assert.deepStrictEqual(stats.series[0], { at: stats.from, ...nothing });
        assert.strictEqual(stats.series.at(-1)?.at, `${last}:00:00.000Z`);
      }
      assert.deepStrictEqual(yield* get(), yield* get({ window: "24h" }));
      yield* TestClock.adjust("1 milli");
      assert.strictEqual((yield* get()).to, "2026-03-10T17:00:00.000Z");
    }),
  );

  check(
    "[stats.series] events count in the hour or the day in which they happened, until they leave the window",
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-10T15:30:00.000Z"));
      const { id } = yield* create();
      yield* create();
      yield* TestClock.adjust("1 hour");
      yield* put(id, { status: "Resolved" });
      yield* put(id, { status: "Closed" });
      const first = { at: "2026-03-10T15:00:00.000Z", ...nothing, created: 2 };
      const second = { at: "2026-03-10T16:00:00.000Z", ...nothing, resolved: 1, closed: 1 };
      assert.deepStrictEqual(busy(yield* counted()), [first, second]);
      const days = busy(yield* get({ window: "30d" }));
      assert.deepStrictEqual(days, [
        { ...nothing, at: "2026-03-10T00:00:00.000Z", created: 2, resolved: 1, closed: 1 },
      ]);
      yield* TestClock.adjust("23 hours");
      assert.deepStrictEqual(busy(yield* counted()), [second]);
      assert.deepStrictEqual(busy(yield* counted({ window: "7d" })), [first, second]);
    }),
  );

  check(
    "[stats.runs] runs count by how they started and ended",
    Effect.gen(function* () {
      for (const outcome of ["resolved", "review", "released", "failed"] as const) {
        const { runId } = yield* executing(outcome);
        yield* finish(runId, outcome, outcome);
      }
      yield* executing("dies");
      yield* TestClock.adjust("5 minutes");
      yield* heartbeat("dies");
      const { runs, series } = yield* counted();
      assert.deepStrictEqual(runs, {
        started: 6,
        resolved: 1,
        review: 1,
        released: 1,
        failed: 1,
        expired: 1,
      });
      const { at: _, ...last } = series.at(-1) ?? { at: "" };
      assert.deepStrictEqual(last, { created: 5, resolved: 1, closed: 0, failed: 1, expired: 1 });
    }),
  );

  check(
    "[stats.issues] issues counts what is there now, whatever is counted from the log",
    Effect.gen(function* () {
      const { id } = yield* create();
      yield* create();
      yield* put(id, { status: "Resolved" });
      const { issues } = yield* get();
      assert.deepStrictEqual(issues, { ...Issue.countsOf(() => 0), Open: 1, Resolved: 1 });
    }),
  );

  check(
    "[stats.stays] the time in a status is at most 10 % off, and null without a stay that ended",
    Effect.gen(function* () {
      for (const seconds of [1, 2, 3, 4, 5, 6, 7, 8, 90, 100_000]) {
        const { id } = yield* create();
        yield* TestClock.adjust(`${seconds} seconds`);
        yield* put(id, { status: "Resolved" });
      }
      const { timeInStatus } = yield* counted({ window: "7d" });
      within(timeInStatus.Open.median, 5);
      within(timeInStatus.Open.p90, 90);
      assert.deepStrictEqual(timeInStatus.Resolved, none);
      assert.deepStrictEqual(timeInStatus.PendingReview, none);
    }),
  );

  check(
    "[stats.staying] an issue that is still in its status counts with the time until now",
    Effect.gen(function* () {
      yield* create({}, "a");
      yield* TestClock.adjust("1 hour");
      const fast = yield* create({}, "a");
      const elsewhere = yield* create({}, "b");
      yield* TestClock.adjust("2 seconds");
      yield* put(fast.id, { status: "PendingReview" });
      yield* put(elsewhere.id, { status: "InProgress" });
      yield* TestClock.adjust("30 minutes");
      const all = (yield* counted()).timeInStatus;
      within(all.Open.median, 2);
      within(all.Open.p90, 5_402);
      within(all.PendingReview.median, 1_800);
      within(all.InProgress.p90, 1_800);
      const ofA = (yield* get({ projectId: "a" })).timeInStatus;
      within(ofA.Open.p90, 5_402);
      assert.deepStrictEqual(ofA.InProgress, none);
      yield* put(fast.id, { status: "Resolved" });
      yield* TestClock.adjust("1 hour");
      assert.deepStrictEqual((yield* counted()).timeInStatus.Resolved, none);
    }),
  );

  check(
    "[stats.staying] of many issues in a status some are read, and count for all, for a minute",
    Effect.gen(function* () {
      for (let n = 0; n < 1_200; n++) yield* create();
      yield* TestClock.adjust("1 hour");
      for (let n = 0; n < 400; n++) yield* create();
      yield* TestClock.adjust("100 seconds");
      const { Open } = (yield* get()).timeInStatus;
      within(Open.median, 3_700);
      yield* TestClock.adjust("30 seconds");
      within((yield* get()).timeInStatus.Open.median, 3_730);
    }),
  );

  check(
    "[stats.by-agent] runs, hand-ins and reviews count for their agent, beside the period before",
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-10T15:30:00.000Z"));
      const review = Effect.fnUntraced(function* (to: Issue.IssueStatus) {
        const { issue, runId } = yield* executing("nova");
        yield* TestClock.adjust("100 seconds");
        yield* finish(runId, "review", "nova");
        yield* TestClock.adjust("1 second");
        yield* put(issue.id, { status: to });
      });
      yield* review("Resolved");
      yield* review("Resolved");
      yield* review("Closed");
      yield* review("Open");
      const { runId } = yield* executing("echo");
      yield* finish(runId, "failed", "echo");
      // A person moves it to review: no run handed it in.
      const { id } = yield* create({ assignedAgentId: "idle" });
      yield* put(id, { status: "PendingReview" });
      yield* TestClock.adjust("1 second");
      yield* put(id, { status: "Resolved" });
      const zeros = {
        started: 0,
        resolved: 0,
        review: 0,
        released: 0,
        failed: 0,
        expired: 0,
        accepted: 0,
        returned: 0,
        median: null,
      };
      const agents = (request?: Parameters<Stats.Stats["Service"]["agents"]>[0]) =>
        Stats.Stats.use((stats) => Effect.andThen(stats.fold, stats.agents(request)));
      const { items } = yield* agents();
      const of = (agentId: string) => items.find((one) => one.agentId === agentId);
      const nova = of("nova")?.current;
      within(nova?.median ?? null, 100);
      assert.deepStrictEqual(
        { ...nova, median: null },
        { ...zeros, started: 4, review: 4, accepted: 2, returned: 1 },
      );
      assert.deepStrictEqual(of("nova")?.previous, zeros);
      assert.deepStrictEqual(of("echo")?.current, { ...zeros, started: 1, failed: 1, median: 0 });
      assert.deepStrictEqual(of("idle")?.current, zeros);
      yield* TestClock.adjust("24 hours");
      const later = (yield* agents()).items.find(({ agentId }) => agentId === "nova");
      assert.deepStrictEqual(later?.current, zeros);
      assert.deepStrictEqual(later?.previous, nova);
      const bound = Callers.as({ ...alice, projects: ["nothing"] })(agents({ window: "7d" }));
      assert.deepStrictEqual(
        (yield* bound).items.map(({ current }) => current.started),
        [0, 0, 0],
      );
      const first = yield* agents({ limit: 2 });
      const second = yield* agents({
        limit: 2,
        ...(first.next === null ? {} : { cursor: first.next }),
      });
      assert.deepStrictEqual([first.items.length, second.items.length], [2, 1]);
    }),
  );

  check(
    "[stats.previous] the sums of the period before are beside the window",
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-10T15:30:00.000Z"));
      yield* create();
      const { runId } = yield* executing("nova");
      yield* finish(runId, "resolved", "nova");
      yield* TestClock.adjust("1 day");
      yield* create();
      const { previous, series } = yield* counted();
      assert.deepInclude(previous, { created: 2, resolved: 1, closed: 0 });
      assert.deepInclude(previous.runs, { started: 1, resolved: 1, failed: 0 });
      assert.strictEqual(series.at(-1)?.created, 1);
      yield* TestClock.adjust("30 days");
      assert.strictEqual((yield* counted({ window: "30d" })).previous.created, 3);
    }),
  );

  check(
    "[stats.stay-ends] a stay has its length however its ends are split over counts and transactions",
    Effect.gen(function* () {
      const { id } = yield* create();
      const blocker = yield* create();
      yield* TestClock.adjust("100 seconds");
      yield* counted();
      yield* put(blocker.id, { status: "InProgress" });
      yield* TestClock.adjust("40 seconds");
      yield* put(blocker.id, { status: "Resolved" });
      // The issue waits and returns to Open in one transaction: Open lasted 140 s, waiting 0 s.
      yield* link(id, "BlockedBy", blocker.id);
      const { timeInStatus } = yield* counted();
      within(timeInStatus.Open.median, 100);
      within(timeInStatus.Open.p90, 140);
      assert.deepStrictEqual(timeInStatus.WaitingOnDependency, { median: 0, p90: 0 });
      within(timeInStatus.InProgress.median, 40);
    }),
  );

  check(
    "[stats.stay-ends] a stay that ends when the issue is created has no length, and counts",
    Effect.gen(function* () {
      const { id } = yield* create();
      yield* put(id, { status: "Resolved" });
      const { timeInStatus } = yield* counted();
      assert.deepStrictEqual(timeInStatus.Open, { median: 0, p90: 0 });
    }),
  );

  check(
    "[stats.calls] a window has exactly the calls of its hours, at whichever hour it ends",
    Effect.gen(function* () {
      const { append } = yield* ToolCallStore.ToolCallStore;
      const { transact } = yield* Transactor.Transactor;
      const { id: serverId } = yield* transact(Fixtures.server());
      const hours = Array.from({ length: 24 * 9 }, (_, n) => (n - 24 * 8) * 3_600);
      const rows = yield* Effect.forEach(hours, (seconds) =>
        Fixtures.toolCallRow({
          serverId,
          startedAt: Timestamp.addSeconds("2026-03-10T00:30:00.000Z", seconds),
        }),
      );
      yield* transact(append(rows));
      for (const hour of ["00", "01", "12", "23"]) {
        yield* TestClock.setTime(Date.parse(`2026-03-10T${hour}:10:00.000Z`));
        for (const [window, calls] of [
          ["24h", 24],
          ["7d", 168],
        ] as const) {
          const { servers } = yield* Callers.as({ ...alice, role: "Admin" })(counted({ window }));
          assert.strictEqual(servers?.[0]?.calls, calls);
        }
      }
    }),
  );

  check(
    "[stats.visible] numbers are of one project, of the projects that the caller may see, or of all",
    Effect.gen(function* () {
      for (const projectId of ["a", "a", "b", "c"]) yield* create({}, projectId);
      yield* counted();
      const created = (projects: Principal.Principal["projects"], request?: Request) =>
        Callers.as({ ...alice, projects })(
          Effect.map(get(request), ({ issues, series }) => [
            series.reduce((sum, element) => sum + element.created, 0),
            issues.Open,
          ]),
        );
      assert.deepStrictEqual(yield* created(null), [4, 4]);
      assert.deepStrictEqual(yield* created(null, { projectId: "a" }), [2, 2]);
      assert.deepStrictEqual(yield* created(["a", "b"]), [3, 3]);
      assert.deepStrictEqual(yield* created(["a", "b"], { projectId: "b" }), [1, 1]);
      assert.deepStrictEqual(yield* created(["a", "b"], { projectId: "c" }), [0, 0]);
      assert.deepStrictEqual(yield* created(["unknown"]), [0, 0]);
    }),
  );

  check(
    "[stats.agents] an agent is active for 10 minutes after its last heartbeat",
    Effect.gen(function* () {
      yield* heartbeat("a");
      yield* TestClock.adjust("9 minutes");
      yield* heartbeat("b");
      yield* create({ assignedAgentId: "never" });
      const agents = Effect.map(get(), (stats) => stats.agents);
      assert.deepStrictEqual(yield* agents, { active: 2, silent: 1 });
      yield* TestClock.adjust("1 minute");
      assert.deepStrictEqual(yield* agents, { active: 2, silent: 1 });
      yield* TestClock.adjust("1 milli");
      assert.deepStrictEqual(yield* agents, { active: 1, silent: 2 });
    }),
  );

  check(
    "[stats.once] each event counts once, also when nodes count at the same time",
    Effect.gen(function* () {
      for (let n = 0; n < 30; n++) yield* create();
      const { fold } = yield* Stats.Stats;
      // Each node has a separate service: the nodes share only the storage.
      const other = Effect.provide(
        Effect.flatMap(Stats.Stats, (stats) => stats.fold),
        Stats.Stats.layerNoDeps,
        { local: true },
      );
      yield* Effect.all([other, fold, other, other], { concurrency: "unbounded" });
      yield* create();
      yield* Effect.all([other, fold], { concurrency: "unbounded" });
      yield* fold;
      assert.strictEqual((yield* get()).series.at(-1)?.created, 31);
    }),
  );

  check(
    "[stats.as-of] asOf says how far a log is counted, which is counted in batches",
    Effect.gen(function* () {
      const events = yield* EventStore.EventStore;
      const activity = yield* ActivityStore.ActivityStore;
      const { transact } = yield* Transactor.Transactor;
      yield* TestClock.setTime(Date.parse(Fixtures.at(3_000)));
      const issue = yield* Fixtures.issue();
      const entries = yield* Effect.forEach(Array.from({ length: 1_200 }), (_, n) =>
        Fixtures.activityRow(issue.id, {
          kind: "statusChanged",
          data: { from: "Open", to: "Resolved" },
          createdAt: Fixtures.at(n),
        }),
      );
      yield* transact(activity.append(entries));
      yield* transact(
        events.append(
          entries.map(({ issueId, kind, ...entry }) => ({
            ...entry,
            kind: `issue.${kind}` as const,
            projectId: "project",
            subjectId: issueId,
            issueKey: null,
          })),
        ),
      );
      assert.strictEqual((yield* get()).asOf, Fixtures.at(0));
      const { asOf, series, timeInStatus } = yield* counted();
      assert.strictEqual(asOf, Fixtures.at(3_000));
      assert.strictEqual(
        series.reduce((sum, element) => sum + element.resolved, 0),
        1_200,
      );
      within(timeInStatus.Open.median, 1);
    }),
  );

  check(
    "[stats.deleted] the stays of a deleted issue that are counted remain, and others are left out",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const counting = yield* create();
      yield* TestClock.adjust("10 seconds");
      yield* put(counting.id, { status: "Resolved" });
      yield* counted();
      yield* issues.remove(counting.id, { confirm: true });
      const missed = yield* create();
      yield* TestClock.adjust("1 hour");
      yield* put(missed.id, { status: "Resolved" });
      yield* issues.remove(missed.id, { confirm: true });
      const { series, timeInStatus } = yield* counted();
      within(timeInStatus.Open.p90, 10);
      assert.strictEqual(
        series.reduce((sum, element) => sum + element.resolved, 0),
        2,
      );
    }),
  );

  check(
    "[stats.retention] housekeeping counts within a minute, and retains rows for 65 days, longer than events",
    Effect.gen(function* () {
      const { once, run } = yield* Housekeeping.Housekeeping;
      const events = yield* EventStore.EventStore;
      const store = yield* StatsStore.StatsStore;
      yield* TestClock.setTime(Date.parse("2026-03-10T15:30:00.000Z"));
      const housekeeper = yield* Effect.forkChild(run);
      yield* create();
      yield* TestClock.adjust("1 minute");
      // It counts in the background, and its steps may not be over yet.
      yield* Effect.repeat(get(), {
        until: ({ series }) => series.at(-1)?.created === 1,
        times: 1_000,
      });
      assert.strictEqual((yield* get()).series.at(-1)?.created, 1);
      yield* Fiber.interrupt(housekeeper);
      const rows = Effect.map(
        store.list({ bucket: "hour", kind: "events", ids: [""], from: "2", to: "3" }),
        (found) => found.length,
      );
      const days = (count: number) =>
        Effect.gen(function* () {
          for (let n = 0; n < count; n++) {
            yield* TestClock.adjust("1 day");
            yield* create();
            yield* once;
          }
        });
      yield* days(33);
      const [oldest] = yield* events.list(
        { projects: null, kinds: null },
        { after: 0, until: 1e9, limit: 1 },
      );
      assert.isAbove(Date.parse(oldest?.createdAt ?? ""), Date.parse("2026-03-12T00:00:00.000Z"));
      assert.strictEqual(yield* rows, 1);
      yield* days(29);
      assert.strictEqual(yield* rows, 1);
      yield* days(4);
      assert.strictEqual(yield* rows, 0);
    }),
  );
});
