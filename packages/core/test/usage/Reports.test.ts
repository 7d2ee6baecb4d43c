import { assert, describe, it } from "@effect/vitest";
import { Usage, UsageCounting, UsageReport, type UsageStore } from "@quartermaster/core";
import { SeededRandom } from "@quartermaster/testing";
import { Effect, Random, Schema } from "effect";

const run = { id: "run_1", agentId: "bot", projectId: "p1", issueId: "iss_1" };
const now = "2026-11-25T10:34:34.000Z";

const report = (
  key: string,
  overrides: Partial<UsageReport.UsageReport> = {},
): UsageReport.UsageReport => ({ key, model: "m", inputTokens: 10, outputTokens: 2, ...overrides });

/** Counts requests of reports one after the other, as a storage would. */
const counter = () => {
  const reports = new Map<string, UsageStore.ReportRow>();
  const sessions = new Map<string, UsageStore.SessionRow>();
  let sums = Usage.none;
  return {
    sums: () => sums,
    add: (id: string, given: ReadonlyArray<UsageReport.UsageReport>) => {
      const stored = {
        reports: [...reports.values()].filter(({ runId }) => runId === id),
        sessions: [...sessions.values()],
      };
      const counted = UsageCounting.count({ ...run, id }, given, stored, now);
      if ("_tag" in counted) return counted;
      for (const row of counted.reports) reports.set(`${row.runId} ${row.key}`, row);
      for (const row of counted.sessions) {
        sessions.set([row.session, row.source, row.provider, row.model].join(" "), row);
      }
      for (const row of counted.rows) sums = UsageCounting.add(sums, row);
      return counted;
    },
  };
};

const decode = Schema.decodeUnknownEffect(UsageReport.UsageReports);
const accepts = (overrides: object) =>
  Effect.isSuccess(decode({ usage: [{ ...report("a"), ...overrides }] }));

describe("Usage reports", () => {
  it("[usage.defaults] have one request, no cost and the source agent, and count in the hour of the request", () => {
    const counted = counter().add("run_1", [report("a", { reasoningTokens: 1 })]);
    assert.deepInclude(counted, {
      rows: [
        {
          runId: "run_1",
          source: "agent",
          at: "2026-11-25T10:00:00.000Z",
          model: "m",
          agentId: "bot",
          projectId: "p1",
          issueId: "iss_1",
          requests: 1,
          inputTokens: 10,
          outputTokens: 2,
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          reasoningTokens: 1,
          costMicros: 0,
          requestsWithoutCost: 1,
        },
      ],
      sessions: [],
    });
  });

  it("[usage.key] the same key with the same values counts once, with other values it is refused", () => {
    const { add, sums } = counter();
    const a = report("a", { costMicros: 5 });
    add("run_1", [a, a]);
    add("run_1", [{ ...a, provider: null, requests: 1, cumulative: false, source: "agent" }]);
    assert.strictEqual(sums().inputTokens, 10);
    for (const other of [
      { inputTokens: 11 },
      { costMicros: 0 },
      { model: "n" },
      { source: "host" },
      { session: "s" },
    ] as const) {
      assert.deepInclude(add("run_1", [report("b"), { ...a, ...other }]), {
        _tag: "UsageKey",
        key: "a",
      });
    }
    assert.strictEqual(sums().inputTokens, 10);
    add("run_2", [{ ...a, inputTokens: 11 }]);
    assert.strictEqual(sums().inputTokens, 21);
  });

  it("[usage.cumulative] totals of a session count as far as they grew, over all runs", () => {
    const { add, sums } = counter();
    const total = (key: string, inputTokens: number, more: Partial<UsageReport.UsageReport> = {}) =>
      report(key, {
        inputTokens,
        outputTokens: 0,
        requests: 0,
        cumulative: true,
        session: "s",
        ...more,
      });
    add("run_1", [total("a", 100), total("b", 130)]);
    add("run_2", [total("a", 150)]);
    assert.strictEqual(sums().inputTokens, 150);
    // A late report of the first run.
    add("run_1", [total("c", 140)]);
    assert.strictEqual(sums().inputTokens, 150);
    add("run_2", [total("b", 10, { session: "t" }), total("c", 10, { model: "n" })]);
    assert.strictEqual(sums().inputTokens, 170);
  });

  it.effect("[usage.cumulative] the order and the repeats of reports do not change the sums", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 50; round++) {
        const drawn = new Map<string, readonly [runId: string, UsageReport.UsageReport]>();
        for (let n = 0; n < 20; n++) {
          const [run, key, session, tokens] = yield* Effect.all([
            Random.nextIntBetween(1, 3),
            Random.nextIntBetween(1, 6),
            Random.nextIntBetween(0, 2),
            Random.nextIntBetween(0, 1_000),
          ]);
          const given = { inputTokens: tokens, session: `s${session}`, cumulative: session > 0 };
          drawn.set(`${run} ${key}`, [`run_${run}`, report(String(key), given)]);
        }
        const sent = [...drawn.values()];
        const sumsOf = (items: typeof sent) => {
          const { add, sums } = counter();
          for (const [runId, given] of items) add(runId, [given]);
          return sums();
        };
        const shuffled = yield* Random.shuffle(sent);
        assert.deepStrictEqual(sumsOf([...shuffled, ...sent]), sumsOf(sent));
      }
    }).pipe(Effect.provide(SeededRandom.layer)),
  );

  it("[usage.sums] sums stop at 2^53 - 1", () => {
    const most = { ...Usage.none, inputTokens: Number.MAX_SAFE_INTEGER };
    const one = { ...Usage.none, inputTokens: 1, requests: 1 };
    assert.deepStrictEqual(UsageCounting.add(most, one), { ...most, requests: 1 });
  });

  it.effect(
    "[usage.values] numbers are integers from 0 to 10^10, and no part is larger than its whole",
    () =>
      Effect.gen(function* () {
        const valid = [
          { inputTokens: 0, outputTokens: 0, requests: 0 },
          { inputTokens: 1e10, outputTokens: 1e10, costMicros: 1e10 },
          { cacheReadTokens: 6, cacheWriteTokens: 4, reasoningTokens: 2 },
          { provider: null, cacheReadTokens: null, session: null, cumulative: null },
          { cumulative: true, session: "s".repeat(128) },
          { key: "k".repeat(64), model: "m".repeat(200) },
        ];
        const invalid = [
          { inputTokens: -1 },
          { inputTokens: 1.5 },
          { outputTokens: 1e10 + 1 },
          { costMicros: -1 },
          { cacheReadTokens: 11 },
          { cacheWriteTokens: 11 },
          { cacheReadTokens: 6, cacheWriteTokens: 5 },
          { reasoningTokens: 3 },
          { cumulative: true },
          { source: "person" },
          { key: "" },
          { key: "k".repeat(65) },
          { model: "" },
          { session: "" },
        ];
        for (const overrides of valid) {
          assert.isTrue(yield* accepts(overrides), JSON.stringify(overrides));
        }
        for (const overrides of invalid) {
          assert.isFalse(yield* accepts(overrides), JSON.stringify(overrides));
        }
        const many = (count: number) => ({
          usage: Array.from({ length: count }, (_, n) => report(String(n))),
        });
        assert.isTrue(yield* Effect.isSuccess(decode(many(50))));
        assert.isFalse(yield* Effect.isSuccess(decode(many(51))));
      }),
  );
});
