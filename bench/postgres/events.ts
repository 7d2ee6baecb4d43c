import { connect } from "@quartermaster/client";
import type { Cluster } from "../../packages/storage-postgres/test/support/Cluster.ts";
import * as Latency from "../../scripts/demo-nodes/Latency.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";

/** The delay from the response to a change on one node until its event arrives by another node. */

export const run = async (
  quick: boolean,
  cluster: Cluster,
): Promise<ReadonlyArray<Report.Line>> => {
  const schema = "bench_events";
  const changes = quick ? 100 : 500;
  const nodes = await Scene.nodes(cluster, schema, 2);
  const [writer, reader] = nodes.map(({ port, key }) =>
    connect({ url: `http://127.0.0.1:${port}`, key }),
  );
  if (writer === undefined || reader === undefined) throw new Error("no nodes");
  Report.progress(`events: ${changes} changes`);
  await Latency.measure(writer, reader, "warm-up", changes / 10);
  const times = await Latency.measure(writer, reader, "bench", changes);
  await Scene.end(schema, nodes);
  const value = times[Math.floor(times.length * 0.99)] ?? Number.NaN;
  return [
    {
      cells: [
        "p99 from the response to a change until its event arrives by another node",
        `${Report.ms(value)}, p50 ${Report.ms(Report.median(times))}`,
      ],
      value,
      target: { limit: 100, is: "atMost" },
    },
  ];
};
