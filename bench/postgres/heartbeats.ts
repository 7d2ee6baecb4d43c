import type { Cluster } from "../../packages/storage-postgres/test/support/Cluster.ts";
import * as Heartbeats from "../agents/heartbeats.ts";
import type * as Report from "../report.ts";
import * as Scene from "./scene.ts";

/** Heartbeats of many agents over HTTP to one node, at a fixed rate. */

export const run = async (
  quick: boolean,
  cluster: Cluster,
): Promise<ReadonlyArray<Report.Line>> => {
  const schema = "bench_heartbeats";
  const nodes = await Scene.nodes(cluster, schema, 1);
  const lines: Array<Report.Line> = [];
  for (const node of nodes) lines.push(await Heartbeats.measure(node, quick ? 5 : 60));
  await Scene.end(schema, nodes);
  return lines;
};
