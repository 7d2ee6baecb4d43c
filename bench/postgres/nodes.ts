import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "../../packages/storage-postgres/test/support/Cluster.ts";
import type { Request } from "../load.ts";
import * as Processes from "../processes.ts";
import { processorTime } from "../processorTime.ts";
import * as Report from "../report.ts";
import * as Requests from "../requests.ts";
import * as Scene from "./scene.ts";

/**
 * The same load on one, two and three nodes of one machine, in turn. The processor time of a request
 * shows what a node more costs; the rate cannot grow on processors that are already busy.
 */

const counts = [1, 2, 3];

/** One create, one list and two heartbeats. */
const requests: ReadonlyArray<Request> = Requests.create().flatMap((create, index) => [
  create,
  { method: "GET", path: "/api/projects/created/issues?limit=50" },
  ...[2 * index, 2 * index + 1].map((number): Request => ({
    method: "POST",
    path: `/api/agents/agent-${number}/heartbeat`,
    body: "{}",
  })),
]);

interface Outcome {
  readonly perSecond: number;
  /** Milliseconds of processor time for each request. */
  readonly nodes: number;
  readonly database: number;
}

export const run = async (
  quick: boolean,
  cluster: Cluster,
): Promise<ReadonlyArray<Report.Line>> => {
  const schema = "bench_nodes";
  const rounds = quick ? 1 : 3;
  const duration = quick ? 500 : 2_000;
  const all = await Scene.nodes(cluster, schema, Math.max(...counts));
  const load = Processes.load();
  const postmaster = Number(
    readFileSync(join(cluster.dataDir, "postmaster.pid"), "utf8").split("\n")[0],
  );

  const measure = async (count: number): Promise<Outcome> => {
    const [first, ...others] = all.slice(0, count);
    if (first === undefined) throw new Error("no nodes");
    const { port, key } = first;
    const otherPorts = others.map((node) => node.port);
    const used = () => ({
      nodes: [first, ...others].reduce((sum, { pid }) => sum + processorTime(pid), 0),
      database: processorTime(postmaster),
    });
    const before = used();
    const { perSecond } = await load.run({
      port,
      otherPorts,
      key,
      requests,
      connections: 4 * Math.max(...counts),
      warmUp: 0,
      duration,
    });
    const after = used();
    const sent = (perSecond * duration) / 1_000;
    return {
      perSecond,
      nodes: (after.nodes - before.nodes) / sent,
      database: (after.database - before.database) / sent,
    };
  };

  const outcomes = counts.map((): Array<Outcome> => []);
  // The first two rounds warm up.
  for (let round = -1; round <= rounds; round++) {
    Report.progress(`nodes: round ${round} of ${rounds}`);
    for (const [index, count] of counts.entries()) {
      const outcome = await measure(count);
      if (round > 0) outcomes[index]?.push(outcome);
    }
  }
  await load.end();
  await Scene.end(schema, all);

  return counts.map((count, index) => {
    const median = (of: (outcome: Outcome) => number) =>
      Report.median((outcomes[index] ?? []).map(of));
    const nodes = Report.ms(median((outcome) => outcome.nodes));
    const database = Report.ms(median((outcome) => outcome.database));
    return {
      cells: [
        `requests a second on ${count} ${count === 1 ? "node" : "nodes"}; processor time of each`,
        `${Report.count(median(({ perSecond }) => perSecond))}; nodes ${nodes}, database ${database}`,
      ],
    };
  });
};
