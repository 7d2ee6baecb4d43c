import { assert } from "@effect/vitest";
import { Usage, UsageReport, UsageStore } from "@quartermaster/core";
import { Effect } from "effect";
import { SecureRandom } from "effect/crypto";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import type { It } from "../Suite.ts";

/** Groups of random runs, over random ranges of hours. */

const { UsageStore: Store } = UsageStore;

/** A range of four months, which starts within a month. */
const hours = 24 * 120;
const hour = (n: number) => Fixtures.at((n + 24 * 11) * 3_600);

/** Returns integers from 0 to `below - 1`. */
const dice = Effect.map(
  Effect.flatMap(SecureRandom.SecureRandom, (random) => random.randomBytes(40_000)),
  (bytes) => {
    let index = 0;
    return (below: number): number => {
      index += 2;
      return ((bytes[index] ?? 0) * 256 + (bytes[index + 1] ?? 0)) % below;
    };
  },
);

interface Silent {
  readonly agentId: string;
  readonly at: string;
  readonly issueId: string;
  readonly projectId: string;
}

/** Runs of three issues of two projects and agents: some report once, some for weeks with gaps, some nothing. */
const filled = Effect.gen(function* () {
  const store = yield* Store;
  const roll = yield* dice;
  const projectId = yield* Fixtures.id("project");
  const projects = [`${projectId}a`, `${projectId}b`];
  const agents = [yield* Fixtures.id("agent"), yield* Fixtures.id("agent")];
  const rows: Array<UsageStore.UsageRow> = [];
  const silent: Array<Silent> = [];
  for (let n = 0; n < 45; n++) {
    const issue = yield* Fixtures.issue({ projectId: projects[roll(2)] ?? "" });
    const first = roll(hours - 24 * 20);
    const agentId = agents[roll(2)] ?? "";
    const run = yield* Fixtures.run(issue, {
      ...Fixtures.ended(hour(first)),
      agentId,
      startedAt: hour(first),
    });
    const of = { agentId, projectId: issue.projectId, issueId: issue.id };
    if (n % 5 === 0) silent.push({ ...of, at: hour(first) });
    else {
      for (let count = roll(6); count >= 0; count--) {
        const row: UsageStore.UsageRow = {
          ...of,
          ...Usage.none,
          runId: run.id,
          source: roll(4) === 0 ? "host" : "agent",
          model: `m${roll(3)}`,
          at: hour(first + (roll(3) === 0 ? roll(24 * 20) : roll(30))),
          requests: 1,
          inputTokens: 1 + roll(1_000),
        };
        rows.push(row);
        const report = { runId: run.id, key: `${count}`, report: "{}" };
        yield* transact(store.add({ reports: [report], sessions: [], rows: [row] }));
      }
    }
  }
  return { agents, projects, roll, rows, silent };
});

/** The rows of the best source of each run. */
const counted = (rows: ReadonlyArray<UsageStore.UsageRow>) => {
  const rankOf = ({ source }: UsageStore.UsageRow) => UsageReport.sources.indexOf(source);
  const best = new Map<string, number>();
  for (const row of rows) best.set(row.runId, Math.min(best.get(row.runId) ?? 9, rankOf(row)));
  return rows.filter((row) => best.get(row.runId) === rankOf(row));
};

const keyOf = (groupBy: Usage.GroupBy, row: Silent & { readonly model?: string }): string =>
  ({
    agent: row.agentId,
    project: row.projectId,
    model: row.model ?? "",
    issue: row.issueId,
    day: row.at.slice(0, 10),
  })[groupBy];

const matches = (query: UsageStore.UsageQuery, row: Silent): boolean =>
  (query.from === undefined || row.at >= query.from) &&
  (query.to === undefined || row.at < query.to) &&
  (query.agentId === undefined || row.agentId === query.agentId) &&
  (query.projectId === undefined || row.projectId === query.projectId) &&
  (query.projects === null || query.projects.includes(row.projectId));

const expected = (
  query: UsageStore.UsageQuery,
  rows: ReadonlyArray<UsageStore.UsageRow>,
  silent: ReadonlyArray<Silent>,
) => {
  const groups = new Map<string, { readonly runs: Set<string>; tokens: number; silent: number }>();
  const groupOf = (row: Silent) => {
    const key = keyOf(query.groupBy, row);
    const group = groups.get(key) ?? { runs: new Set(), tokens: 0, silent: 0 };
    groups.set(key, group);
    return group;
  };
  for (const row of rows.filter((some) => matches(query, some))) {
    const group = groupOf(row);
    group.runs.add(row.runId);
    group.tokens += row.inputTokens;
  }
  if (query.groupBy !== "model") {
    for (const run of silent.filter((some) => matches(query, some))) groupOf(run).silent++;
  }
  return [...groups]
    .map(([key, group]) => [key, group.runs.size + group.silent, group.tokens, group.silent])
    .toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1));
};

export const ranges = (it: It<Storage>): void => {
  it.effect("groups of any range have the rows and runs in it, before and after a prune", () =>
    Effect.gen(function* () {
      const store = yield* Store;
      const { agents, projects, roll, rows, silent } = yield* filled;
      const end = () => (roll(4) === 0 ? undefined : hour(roll(5) * 24 * 25 + roll(2) * roll(30)));
      const check = Effect.fnUntraced(function* (stored: ReadonlyArray<UsageStore.UsageRow>) {
        for (let n = 0; n < 60; n++) {
          for (const groupBy of ["agent", "project", "model", "issue", "day"] as const) {
            const query: UsageStore.UsageQuery = {
              groupBy,
              from: end(),
              to: end(),
              agentId: roll(3) === 0 ? agents[0] : undefined,
              projectId: roll(3) === 0 ? projects[1] : undefined,
              projects: roll(3) === 0 ? projects.slice(0, 1) : projects,
            };
            const all = expected(query, stored, silent);
            const groups = yield* store.groups(query, { after: null, limit: 500, order: "asc" });
            const read = groups.map((group) => [
              group.key,
              group.runs,
              group.inputTokens,
              group.runsWithoutUsage,
            ]);
            assert.deepStrictEqual(read, all, JSON.stringify(query));
            const slice = { after: String(all[2]?.[0] ?? "a"), limit: 3, order: "desc" } as const;
            assert.deepStrictEqual(
              (yield* store.groups(query, slice)).map(({ key }) => key),
              all
                .map(([key]) => String(key))
                .filter((key) => key < slice.after)
                .toReversed()
                .slice(0, 3),
            );
          }
        }
      });
      yield* check(counted(rows));
      const before = hour(24 * 45 + 7);
      while ((yield* transact(store.prune(before, 7))) > 0);
      yield* check(counted(rows).filter(({ at }) => at >= before));
    }),
  );
};
