import { PgClient } from "@effect/sql-pg";
import { Issues, Principal, Runs } from "@quartermaster/core";
import { Effect } from "effect";
import type { Cluster } from "../../packages/storage-postgres/test/support/Cluster.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";

/** Claims and finished runs in this process, beside a plain queue with `SKIP LOCKED`. */

const agentId = (index: number) => `agent-${index}`;

const queue = [
  `CREATE TABLE jobs (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title text NOT NULL,
    state text NOT NULL DEFAULT 'open', worker text, claimed_at timestamptz, done_at timestamptz)`,
  "CREATE INDEX jobs_open ON jobs (id) WHERE state = 'open'",
];

/** A worker claims the oldest job and completes it. */
const work = (worker: string) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient;
    const [job] = yield* sql<{ id: unknown }>`
      UPDATE jobs SET state = 'claimed', worker = ${worker}, claimed_at = now() WHERE id = (
        SELECT id FROM jobs WHERE state = 'open' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id`;
    if (job === undefined) throw new Error("a worker has found no job");
    yield* sql`UPDATE jobs SET state = 'done', done_at = now() WHERE id = ${job.id}`;
  });

/** An agent claims its issue and releases it. */
const turn = (agentId: string) =>
  Effect.gen(function* () {
    const runs = yield* Runs.Runs;
    const [run] = (yield* runs.heartbeat(agentId)).started;
    if (run === undefined) throw new Error(`${agentId} has claimed no issue`);
    yield* runs.finish(agentId, run.runId, { outcome: "released" });
  });

const asSystem = Effect.provideService(Principal.CurrentPrincipal, Principal.system);

export const run = async (
  quick: boolean,
  cluster: Cluster,
): Promise<ReadonlyArray<Report.Line>> => {
  const agents = Array.from({ length: quick ? 200 : 500 }, (_, index) => agentId(index));
  const host = Scene.services(cluster, "bench_claims");
  await host.runPromise(
    Effect.flatMap(Issues.Issues, (issues) =>
      Scene.rate(agents, (assignedAgentId) =>
        issues.create("bench", { title: "A task", assignedAgentId }),
      ),
    ).pipe(asSystem),
  );
  const plain = Scene.plain(cluster);
  for (const statement of queue) await plain.execute(statement);
  const line = await Scene.inTurn({
    name: `claims with their ends a second in those by SKIP LOCKED, ${Scene.connections} connections`,
    rounds: quick ? 3 : 7,
    ours: () => host.runPromise(asSystem(Scene.rate(agents, turn))),
    theirs: async () => {
      await plain.execute(
        `INSERT INTO jobs (title) SELECT 'A task' FROM generate_series(1, ${agents.length})`,
      );
      return plain.run(Scene.rate(agents, work));
    },
    show: Report.count,
    target: { limit: 0.5, is: "atLeast" },
  });
  await Promise.all([host.dispose(), plain.end()]);
  return [line];
};
