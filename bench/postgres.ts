import { Cluster } from "../packages/storage-postgres/test/support/Cluster.ts";
import * as Parts from "./parts.ts";
import * as BesideSqlite from "./postgres/besideSqlite.ts";
import * as Claims from "./postgres/claims.ts";
import * as Creates from "./postgres/creates.ts";
import * as Events from "./postgres/events.ts";
import * as Growth from "./postgres/growth.ts";
import * as Heartbeats from "./postgres/heartbeats.ts";
import * as Nodes from "./postgres/nodes.ts";
import * as Scene from "./postgres/scene.ts";
import type * as Report from "./report.ts";

/** The storage in PostgreSQL, on one server on this machine whose commits wait for the disk. */

const parts = {
  claims: Claims.run,
  creates: Creates.run,
  heartbeats: Heartbeats.run,
  events: Events.run,
  besideSqlite: BesideSqlite.run,
  nodes: Nodes.run,
  growth: Growth.run,
};

const title = "PostgreSQL (medians of the rounds)";

/** Runs all parts, or only the named ones. */
export const run = async (
  quick: boolean,
  only: ReadonlyArray<string> = [],
): Promise<ReadonlyArray<Report.Table>> => {
  const columns = ["", "measured"];
  const { missing } = Cluster;
  if (missing !== undefined) {
    return [{ title, columns, lines: [{ cells: [`skipped: ${missing}`, ""] }] }];
  }
  const chosen = Parts.chosen("postgres", parts, only);
  const cluster = await Scene.start();
  try {
    const lines: Array<Report.Line> = [];
    for (const part of chosen) lines.push(...(await part(quick, cluster)));
    return [{ title, columns, lines }];
  } finally {
    await cluster.remove();
  }
};
