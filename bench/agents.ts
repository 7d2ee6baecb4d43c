import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import { Core, MasterKeys, Principal, Runs } from "@quartermaster/core";
import { Storage } from "@quartermaster/storage-sqlite";
import { Effect, Layer, ManagedRuntime, Redacted } from "effect";
import { ask } from "./api.ts";
import * as Corpus from "./corpus.ts";
import type { Request } from "./load.ts";
import * as Processes from "./processes.ts";
import * as Report from "./report.ts";
import * as Seed from "./seed.ts";

/** What agents ask for: claims, heartbeats, and what waits for one issue. */

const openDatabase = (dataDir: string, readOnly = false) =>
  new DatabaseSync(join(dataDir, "quartermaster.db"), { readOnly });

const claimants = 1_000;
const claimant = (index: number) => `agent-${index}`;

/** Makes every issue open and some agent's, each as many as any other's. */
const assign = (dataDir: string) => {
  const db = openDatabase(dataDir);
  try {
    db.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -524288");
    db.exec(`UPDATE issues SET status = 'Open', resolved_at = NULL, closed_at = NULL,
      assigned_agent_id = 'agent-' || (seq % ${claimants})`);
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
};

const seed = async (name: string, issues: number): Promise<string> => {
  const dataDir = Processes.path(name);
  let told = 0;
  await Seed.quartermaster(dataDir, {
    issues,
    projects: 4,
    progress: (done) => {
      if (done - told < 50_000 && done < issues) return;
      told = done;
      Report.progress(`seeding: ${Report.count(done)} of ${Report.count(issues)} issues`);
    },
  });
  return dataDir;
};

/** The services in this process, with full durability. */
const services = (dataDir: string) =>
  ManagedRuntime.make(
    Core.layer.pipe(
      Layer.provide([
        Storage.layer({ dataDir, durability: "full" }),
        MasterKeys.MasterKeys.layer([Redacted.make(new Uint8Array(randomBytes(32)))]),
      ]),
      Layer.provide(NodeCrypto.layer),
    ),
  );

const atOnce = 16;

/** Every agent claims one issue, and hands it back, which does not count. */
const claims = Effect.gen(function* () {
  const runs = yield* Runs.Runs;
  const latencies: Array<number> = [];
  const began = performance.now();
  const claimed = yield* Effect.forEach(
    Array.from({ length: claimants }, (_, index) => claimant(index)),
    (agentId) =>
      Effect.gen(function* () {
        const sent = performance.now();
        const { started } = yield* runs.heartbeat(agentId);
        latencies.push(performance.now() - sent);
        return started.map(({ runId }) => ({ agentId, runId }));
      }),
    { concurrency: atOnce },
  );
  const seconds = (performance.now() - began) / 1_000;
  const count = claimed.flat().length;
  if (count !== claimants) throw new Error(`${count} of ${claimants} agents have claimed`);
  yield* Effect.forEach(
    claimed.flat(),
    ({ agentId, runId }) => runs.finish(agentId, runId, { outcome: "released" }),
    { concurrency: atOnce, discard: true },
  );
  return { perSecond: count / seconds, p50: Report.median(latencies) };
}).pipe(Effect.provideService(Principal.CurrentPrincipal, Principal.system));

const claiming = async (quick: boolean): Promise<ReadonlyArray<Report.Line>> => {
  const sizes = [1_000, quick ? 100_000 : 1_000_000];
  const rounds = quick ? 5 : 9;
  const hosts: Array<ReturnType<typeof services>> = [];
  for (const issues of sizes) {
    const dataDir = await seed(`agents-${issues}`, issues);
    assign(dataDir);
    hosts.push(services(dataDir));
  }
  const outcomes = sizes.map((): Array<Effect.Success<typeof claims>> => []);
  // The first two rounds warm up: they register the agents, and fill caches.
  for (let round = -1; round <= rounds; round++) {
    Report.progress(`claims: round ${round} of ${rounds}`);
    for (const [index, host] of hosts.entries()) {
      const outcome = await host.runPromise(claims);
      if (round > 0) outcomes[index]?.push(outcome);
    }
  }
  for (const host of hosts) await host.dispose();
  for (const issues of sizes) Processes.remove(`agents-${issues}`);

  const lines = sizes.map((issues, index): Report.Line => {
    const some = outcomes[index] ?? [];
    const value = Report.median(some.map(({ perSecond }) => perSecond));
    return {
      cells: [
        `claims a second, ${atOnce} concurrent, ${Report.count(issues)} open issues`,
        `${Report.count(value)}, p50 ${Report.ms(Report.median(some.map(({ p50 }) => p50)))}`,
      ],
      value,
      target: { limit: 2_000, is: "atLeast" },
    };
  });
  const growth = Report.median(
    (outcomes.at(-1) ?? []).map(
      ({ p50 }, round) => p50 / (outcomes[0]?.[round]?.p50 ?? Number.NaN),
    ),
  );
  const grown = sizes.map((issues) => Report.count(issues)).toReversed();
  return [
    ...lines,
    {
      cells: [`p50 of a claim at ${grown.join(" in that at ")}`, Report.ratio(growth)],
      value: growth,
      target: { limit: 1.5, is: "atMost" },
    },
  ];
};

const heartbeats = async (quick: boolean): Promise<Report.Line> => {
  const agents = 10_000;
  const every = 10;
  const held = quick ? 10 : 60;
  const dataDir = Processes.path("agents-heartbeats");
  const server = await Processes.quartermaster(dataDir);
  const load = Processes.load();
  Report.progress(`heartbeats for ${every} + ${held} s`);
  const { port, key } = server;
  const { p50, p99, perSecond } = await load.run({
    port,
    key,
    requests: Array.from({ length: agents }, (_, index): Request => ({
      method: "POST",
      path: `/api/agents/beating-${index}/heartbeat`,
      body: "{}",
    })),
    connections: 64,
    rate: agents / every,
    // The first heartbeat of each registers it.
    warmUp: every * 1_000,
    duration: held * 1_000,
  });
  await Promise.all([load.end(), server.end()]);
  Processes.remove("agents-heartbeats");
  return {
    cells: [
      `p99 of heartbeats of ${Report.count(agents)} agents every ${every} s, for ${held} s`,
      `${Report.ms(p99)}, p50 ${Report.ms(p50)}, ${Report.count(perSecond)}/s`,
    ],
    value: p99,
    target: { limit: 50, is: "below" },
  };
};

const dependents = 10_000;
const blocker = Corpus.issueId(1);

/** Makes all other issues wait for the first one. */
const block = (dataDir: string) => {
  const db = openDatabase(dataDir);
  try {
    db.exec(`BEGIN;
      UPDATE issues SET status = 'WaitingOnDependency', resolved_at = NULL, closed_at = NULL,
        link_count = 1;
      UPDATE issues SET status = 'Open', link_count = ${dependents} WHERE id = '${blocker}';
      INSERT INTO links (id, relation, source_id, source_project_id, target_id, target_project_id,
        created_by_type, created_by_id, created_at)
      SELECT replace(target.id, 'iss_', 'lnk_'), 'Blocks', source.id, source.project_id,
        target.id, target.project_id, 'User', 'alice', target.created_at
      FROM issues AS target, issues AS source
      WHERE source.id = '${blocker}' AND target.id <> source.id;
      COMMIT`);
  } finally {
    db.close();
  }
};

/** Counts the waiting issues repeatedly until told to stop. Returns all counts. */
const watch = (dataDir: string) => {
  const db = openDatabase(dataDir, true);
  const waiting = db.prepare(
    "SELECT count(*) AS waiting FROM issues WHERE status = 'WaitingOnDependency'",
  );
  const seen = new Set<number>();
  const look = () => seen.add(Number(waiting.get()?.["waiting"]));
  look();
  const timer = setInterval(look, 10);
  return () => {
    clearInterval(timer);
    look();
    db.close();
    return [...seen];
  };
};

const freeing = async (quick: boolean): Promise<ReadonlyArray<Report.Line>> => {
  const rounds = quick ? 3 : 5;
  const dataDir = await seed("agents-dependents", dependents + 1);
  block(dataDir);
  const server = await Processes.quartermaster(dataDir);
  const move = async (status: string) => {
    const began = performance.now();
    await ask(server, "PUT", `/api/projects/issues/${blocker}`, { status });
    return performance.now() - began;
  };
  // The first round warms up and is observed: no reader may see some dependents free and others waiting.
  const stop = watch(dataDir);
  await move("Resolved");
  const seen = stop();
  if (seen.join() !== `${dependents},0`) {
    throw new Error(`of ${dependents} dependents, so many were seen to wait: ${seen.join(", ")}`);
  }
  await move("Open");
  const freed: Array<number> = [];
  const held: Array<number> = [];
  for (let round = 1; round <= rounds; round++) {
    Report.progress(`dependents: round ${round} of ${rounds}`);
    await sleep(500);
    freed.push(await move("Resolved"));
    await sleep(500);
    held.push(await move("Open"));
  }
  await server.end();
  Processes.remove("agents-dependents");
  const value = Report.median(freed);
  const name = `a blocker of ${Report.count(dependents)} issues`;
  return [
    {
      cells: [`resolving ${name}, in one transaction`, Report.ms(value)],
      value,
      target: { limit: 1_000, is: "below" },
    },
    { cells: [`reopening ${name}`, Report.ms(Report.median(held))] },
  ];
};

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Table>> => [
  {
    title: "Agents (medians of the rounds)",
    columns: ["", "measured"],
    lines: [...(await freeing(quick)), await heartbeats(quick), ...(await claiming(quick))],
  },
];
