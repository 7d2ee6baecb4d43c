import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "../../packages/storage-postgres/test/support/Cluster.ts";
import type { Proxy } from "../../packages/storage-postgres/test/support/Proxy.ts";
import type { Random } from "../demo-kill/Random.ts";
import type * as Server from "../demo-kill/Server.ts";
import * as Witness from "./Witness.ts";

/** Faults of the house, one after the other: a node at a time, so that two are left, and the database for all. */

export interface House {
  readonly cluster: Cluster;
  readonly nodes: ReadonlyArray<Awaited<ReturnType<typeof Server.start>>>;
  /** The network between each node and the database. */
  readonly networks: ReadonlyArray<Proxy>;
  readonly witness: Witness.Witness;
}

const kinds = ["node", "node", "connections", "silence", "network"] as const;
export type Faults = Record<(typeof kinds)[number], number> & {
  /** When the database had ended, in milliseconds since the epoch; 0 if it was not. */
  databaseAt: number;
};

export const rage = async (
  { cluster, networks, nodes, witness }: House,
  random: Random,
  millis: number,
  say: (text: string) => void,
): Promise<Faults> => {
  const counts: Faults = { node: 0, connections: 0, silence: 0, network: 0, databaseAt: 0 };
  const beganAt = performance.now();
  while (performance.now() - beganAt < millis) {
    await sleep(1_000 + random.below(2_000));
    if (counts.databaseAt === 0 && performance.now() - beganAt > millis / 2) {
      say("The database crashes.");
      await cluster.end("SIGQUIT");
      counts.databaseAt = Date.now();
      await sleep(1_000);
      await cluster.run(Witness.settings);
      continue;
    }
    const kind = random.pick(kinds) ?? "node";
    const at = random.below(nodes.length);
    counts[kind] += 1;
    if (kind === "node") await nodes[at]?.crash(1_000);
    else if (kind === "connections") await witness.terminate();
    else if (kind === "network") networks[at]?.breakAll();
    else {
      networks[at]?.silence(true);
      await sleep(3_000 + random.below(4_000));
      networks[at]?.silence(false);
    }
  }
  return counts;
};
