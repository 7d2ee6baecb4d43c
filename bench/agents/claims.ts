import { randomBytes } from "node:crypto";
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import { Core, MasterKeys, Principal, Runs } from "@quartermaster/core";
import { Storage } from "@quartermaster/storage-sqlite";
import { Effect, Layer, ManagedRuntime, Redacted } from "effect";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Database from "./database.ts";

/** Claims in this process, at different numbers of issues. */

const claimants = 1_000;
const claimant = (index: number) => `agent-${index}`;

/** Opens every issue, and assigns the issues evenly to the agents. */
const assign = (dataDir: string) => {
  const db = Database.open(dataDir);
  try {
    db.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -524288");
    db.exec(`UPDATE issues SET status = 'Open', resolved_at = NULL, closed_at = NULL,
      assigned_agent_id = 'agent-' || (seq % ${claimants})`);
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
};

/** The services in this process, with durability `full`. */
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

/** Every agent claims one issue and releases it before the measurement. */
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

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Line>> => {
  const sizes = [1_000, quick ? 100_000 : 1_000_000];
  const rounds = quick ? 5 : 9;
  const hosts: Array<ReturnType<typeof services>> = [];
  for (const issues of sizes) {
    const dataDir = await Database.seed(`agents-${issues}`, issues);
    assign(dataDir);
    hosts.push(services(dataDir));
  }
  const outcomes = sizes.map((): Array<Effect.Success<typeof claims>> => []);
  // The first two rounds warm up: they register the agents and fill caches.
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
