import { randomBytes } from "node:crypto";
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import {
  Core,
  Issue,
  MasterKeys,
  Principal,
  Stats,
  StatsStore,
  Timestamp,
  Transactor,
} from "@quartermaster/core";
import { Storage } from "@quartermaster/storage-sqlite";
import { Fixtures, SeededRandom } from "@quartermaster/testing";
import { Effect, Layer, Redacted } from "effect";
import * as Processes from "./processes.ts";
import * as Report from "./report.ts";
import * as Seed from "./seed.ts";

/** The time to count and to read the statistics of an installation with 10 million events. */

const projects = 4;
const servers = 30;
const days = 35;

/** The maximum number of counters: a bucket for each duration from 10 ms to a month. */
const lengths = (names: ReadonlyArray<string>, scale: number) =>
  Object.fromEntries(
    names.flatMap((name) =>
      Array.from({ length: 110 }, (_, bucket) => [
        `${name}.${bucket + 13}`,
        1 + ((bucket * 7) % scale),
      ]),
    ),
  );

const happened = ["created", "resolved", "closed"].concat(
  ["started", "resolved", "review", "released", "failed", "expired"].map((name) => `run.${name}`),
);

const rowsOf = (bucket: "hour" | "day", at: string, serverIds: ReadonlyArray<string>) => {
  // 10 million events in 30 days are 14,000 per hour.
  const scale = bucket === "hour" ? 1_500 : 36_000;
  const row = { bucket, at };
  return [
    { ...row, kind: "events", id: "", counts: Object.fromEntries(happened.map((n) => [n, scale])) },
    { ...row, kind: "stays", id: "", counts: lengths(Issue.IssueStatus.literals, scale) },
    ...serverIds.map((id) => ({
      ...row,
      kind: "calls" as const,
      id,
      counts: { calls: scale, errors: 1, ...lengths(["ms"], scale) },
    })),
  ] as const;
};

/** Replaces the counted rows by the rows of a full month. */
const fill = Effect.gen(function* () {
  const store = yield* StatsStore.StatsStore;
  const { transact } = yield* Transactor.Transactor;
  const installed = yield* Effect.forEach(Array.from({ length: servers }), (_, n) =>
    Fixtures.server({ name: `server-${n}` }),
  );
  const serverIds = installed.map(({ id }) => id);
  const now = yield* Timestamp.now;
  const cursor = yield* store.cursor("events");
  for (let hour = 0; hour < days * 24; hour++) {
    const at = Timestamp.addSeconds(`${now.slice(0, 13)}:00:00.000Z`, -hour * 3_600);
    const isDay = at.slice(11, 13) === "00";
    yield* transact(
      store.put("events", cursor, [
        ...rowsOf("hour", at, serverIds),
        ...(isDay ? rowsOf("day", at, serverIds) : []),
      ]),
    );
  }
});

const timed = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const started = performance.now();
  yield* effect;
  return performance.now() - started;
});

const measure = (quick: boolean, issues: number) =>
  Effect.gen(function* () {
    const stats = yield* Stats.Stats;
    Report.progress(`counting ${Report.count(issues)} events`);
    const counted = issues / ((yield* timed(stats.fold)) / 1_000);
    const lines: Array<Report.Line> = [
      { cells: ["events of a log counted per second", Report.count(counted), ""] },
    ];
    Report.progress("filling the rows of a month");
    yield* fill;
    for (const window of ["24h", "7d", "30d"] as const) {
      const times: Array<number> = [];
      for (let round = 0; round < (quick ? 20 : 200); round++) {
        times.push(yield* timed(stats.get({ window })));
      }
      const p50 = Report.median(times);
      const p99 = times.toSorted((a, b) => b - a)[Math.floor(times.length / 100)] ?? Number.NaN;
      lines.push({
        cells: [`${window}, all projects and ${servers} servers`, Report.ms(p50), Report.ms(p99)],
        value: p50,
        target: { limit: 50, is: "below" },
      });
    }
    return lines;
  });

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Table>> => {
  const issues = quick ? 50_000 : 1_000_000;
  const dataDir = Processes.path("stats");
  Report.progress(`seeding ${Report.count(issues)} issues`);
  await Seed.quartermaster(dataDir, { issues, projects });
  const storage = Storage.layer({ dataDir, durability: "full" });
  const keys = MasterKeys.MasterKeys.layer([Redacted.make(new Uint8Array(randomBytes(32)))]);
  const core = Core.layer.pipe(
    Layer.provideMerge(storage),
    Layer.provide(keys),
    Layer.provideMerge(Layer.merge(NodeCrypto.layer, SeededRandom.layer)),
  );
  const lines = await measure(quick, issues).pipe(
    Effect.provideService(Principal.CurrentPrincipal, Principal.user("bench", "Admin")),
    Effect.provide(core),
    Effect.runPromise,
  );
  Processes.remove("stats");
  return [
    {
      title: `Statistics of ${Report.count(issues)} issues and 10,000,000 events`,
      columns: ["", "p50", "p99"],
      lines,
    },
  ];
};
