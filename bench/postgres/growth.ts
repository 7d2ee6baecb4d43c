import { Issues, Principal, Runs } from "@quartermaster/core";
import { Effect } from "effect";
import type { Cluster } from "../../packages/storage-postgres/test/support/Cluster.ts";
import * as ManyIssues from "../../packages/storage-postgres/test/support/ManyIssues.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";

/** The growth of the time of operations in this process with the number of issues. */

type Host = ReturnType<typeof Scene.services>;

/** Creates the tables in a new schema, and fills them. */
const fill = async (cluster: Cluster, issues: number): Promise<Host> => {
  const schema = `bench_growth_${issues}`;
  const host = Scene.services(cluster, schema);
  await host.runPromise(Effect.void);
  // Without the checks of foreign keys, so that the tables can be filled at the same time.
  const plain = Scene.plain(cluster, {
    search_path: `"${schema}", pg_catalog`,
    session_replication_role: "replica",
  });
  Report.progress(`filling: ${Report.count(issues)} issues`);
  const [first = "", ...others] = ManyIssues.statements(issues);
  await plain.execute(first);
  await Promise.all(others.map(plain.execute));
  // So that the server does not do it during a measurement.
  await plain.execute("VACUUM ANALYZE");
  await plain.execute("CHECKPOINT");
  await plain.end();
  return host;
};

/** An even number up to `issues`: these issues are in the project `p`. */
const even = (issues: number, turn: number) =>
  2 * (1 + Math.floor(((turn * 0.618_033_988_75) % 1) * (issues / 2 - 1)));

/** Agents that have an issue to claim at 1,000 issues. */
const claimants = Array.from({ length: 10 }, (_, block) =>
  [3, 5, 6, 7, 8].map((n) => 50 * block + n),
)
  .flat()
  .map((n) => `agent_${n}`);

const issuesOf = <A, E, R>(use: (issues: Issues.Issues["Service"]) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Issues.Issues, use);

/** Returns the milliseconds of an effect. */
const timed = <E, R>(effect: Effect.Effect<unknown, E, R>): Effect.Effect<number, E, R> =>
  Effect.suspend(() => {
    const began = performance.now();
    return Effect.map(effect, () => performance.now() - began);
  });

/** The time of a claim; the release after it does not count. */
const claim = (turn: number) =>
  Effect.gen(function* () {
    const agentId = claimants[turn % claimants.length] ?? "";
    const runs = yield* Runs.Runs;
    const began = performance.now();
    const [run] = (yield* runs.heartbeat(agentId)).started;
    const millis = performance.now() - began;
    if (run === undefined) throw new Error(`${agentId} has claimed no issue`);
    yield* runs.finish(agentId, run.runId, { outcome: "released" });
    return millis;
  });

const list = (request: Parameters<Issues.Issues["Service"]["list"]>[1]) =>
  timed(issuesOf((issues) => issues.list("p", { limit: 50, ...request })));

const measurements = {
  "get by id": (issues: number, turn: number) =>
    timed(issuesOf(({ get }) => get(`iss_${even(issues, turn)}`))),
  "list of 50": () => list({}),
  "list of 50 of a status by priority": () => list({ status: ["Open"], sort: "priority" }),
  claim: (_: number, turn: number) => claim(turn),
  "full text, one finds": (issues: number, turn: number) => list({ q: `w${even(issues, turn)}` }),
  "full text, all are found": () => list({ q: "roof" }),
};

export const run = async (
  quick: boolean,
  cluster: Cluster,
): Promise<ReadonlyArray<Report.Line>> => {
  const sizes = quick ? [1_000, 10_000] : [1_000, 100_000, 1_000_000];
  const rounds = quick ? 3 : 5;
  const times = quick ? 50 : 150;
  const hosts: Array<Host> = [];
  for (const issues of sizes) hosts.push(await fill(cluster, issues));

  const lines: Array<Report.Line> = [];
  for (const [name, measure] of Object.entries(measurements)) {
    const p50s = sizes.map((): Array<number> => []);
    // The first two rounds warm up.
    for (let round = -1; round <= rounds; round++) {
      Report.progress(`${name}: round ${round} of ${rounds}`);
      for (const [index, issues] of sizes.entries()) {
        const turns = Array.from({ length: times }, (_, turn) => measure(issues, turn));
        const latencies = await hosts[index]?.runPromise(
          Effect.provideService(Effect.all(turns), Principal.CurrentPrincipal, Principal.system),
        );
        if (round > 0) p50s[index]?.push(Report.median(latencies ?? []));
      }
    }
    const value = Report.median(
      (p50s.at(-1) ?? []).map((p50, round) => p50 / (p50s[0]?.[round] ?? Number.NaN)),
    );
    const shown = p50s.map((some) => Report.ms(Report.median(some)));
    lines.push({
      cells: [
        `p50 of ${name} at ${sizes.map((size) => Report.count(size)).join(", ")} issues`,
        `${shown.join(", ")}: ${Report.ratio(value)}`,
      ],
      value,
      target: { limit: 1.5, is: "atMost" },
    });
  }
  for (const host of hosts) await host.dispose();
  return lines;
};
