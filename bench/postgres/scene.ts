import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import { PgClient } from "@effect/sql-pg";
import { Core, MasterKeys } from "@quartermaster/core";
import { Storage } from "@quartermaster/storage-postgres";
import { Effect, Layer, ManagedRuntime, Redacted } from "effect";
import { Cluster } from "../../packages/storage-postgres/test/support/Cluster.ts";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";

/** The server of these benchmarks, and what runs on it. */

/** The connections of each side of a comparison. */
export const connections = 16;

/** The path of a socket in a deep folder would be too long. */
const settings = [
  "fsync=on",
  "shared_buffers=256MB",
  "max_wal_size=4GB",
  "unix_socket_directories=",
];

/** Starts the server in this run's folder. */
export const start = async (): Promise<Cluster> => {
  const folder = Processes.path("postgres");
  mkdirSync(folder);
  // For the server's user, if this process is root.
  chmodSync(dirname(folder), 0o711);
  const cluster = await Cluster.start(settings, folder);
  // Before the folder is removed.
  process.prependOnceListener("exit", () => void cluster.end("SIGQUIT"));
  return cluster;
};

/** The services in this process, on a schema. */
export const services = ({ url }: Cluster, schema: string) =>
  ManagedRuntime.make(
    Core.layer.pipe(
      Layer.provide([
        Storage.layer({ url: Redacted.make(url), schema, pool: connections }),
        MasterKeys.MasterKeys.layer([Redacted.make(new Uint8Array(randomBytes(32)))]),
      ]),
      Layer.provide(NodeCrypto.layer),
    ),
  );

/** Plain SQL by the driver of the storage. */
export const plain = ({ url }: Cluster, startupParameters: Record<string, string> = {}) => {
  const runtime = ManagedRuntime.make(
    PgClient.layer({ url: Redacted.make(url), maxConnections: connections, startupParameters }),
  );
  return {
    /** Runs a statement on its own, without preparing it. */
    execute: (text: string) =>
      runtime.runPromise(
        Effect.flatMap(PgClient.PgClient, (sql) => Effect.asVoid(sql.unsafe(text).unprepared)),
      ),
    run: <A, E>(effect: Effect.Effect<A, E, PgClient.PgClient>) => runtime.runPromise(effect),
    end: () => runtime.dispose(),
  };
};

/** The rate of an effect that runs for each item, as many at a time as there are connections. */
export const rate = <Item, E, R>(
  items: ReadonlyArray<Item>,
  each: (item: Item) => Effect.Effect<unknown, E, R>,
): Effect.Effect<number, E, R> =>
  Effect.suspend(() => {
    const began = performance.now();
    return Effect.map(
      Effect.forEach(items, each, { concurrency: connections, discard: true }),
      () => (items.length * 1_000) / (performance.now() - began),
    );
  });

const secretKey = randomBytes(32).toString("base64");

/** The variables of the program on a schema. */
export const variables = ({ url }: Cluster, schema: string) => ({
  QM_DATABASE_URL: url,
  QM_DATABASE_SCHEMA: schema,
  QM_SECRET_KEY: secretKey,
});

/** Starts nodes of the program on a schema. They have one Owner key. */
export const nodes = async (
  cluster: Cluster,
  schema: string,
  count: number,
): Promise<ReadonlyArray<Processes.Server>> => {
  const started: Array<Processes.Server> = [];
  for (let index = 0; index < count; index++) {
    const dataDir = Processes.path(`${schema}-${index}`);
    const [first] = started;
    if (first !== undefined) {
      mkdirSync(dataDir);
      writeFileSync(join(dataDir, "owner-key"), first.key, { mode: 0o600 });
    }
    started.push(await Processes.quartermaster(dataDir, [], variables(cluster, schema)));
  }
  return started;
};

/** Stops nodes and removes their folders. */
export const end = async (schema: string, started: ReadonlyArray<Processes.Server>) => {
  await Promise.all(started.map((server) => server.end()));
  for (const index of started.keys()) Processes.remove(`${schema}-${index}`);
};

export interface Comparison {
  readonly name: string;
  readonly rounds: number;
  readonly ours: () => Promise<number>;
  readonly theirs: () => Promise<number>;
  readonly show: (figure: number) => string;
  readonly target?: Report.Target | undefined;
}

/** Compares both sides in turn: the value is the median of the rounds' ratios. Two rounds warm up. */
export const inTurn = async ({
  name,
  rounds,
  show,
  target,
  ...sides
}: Comparison): Promise<Report.Line> => {
  const outcomes: Array<{ readonly ours: number; readonly theirs: number }> = [];
  for (let round = -1; round <= rounds; round++) {
    Report.progress(`${name}: round ${round} of ${rounds}`);
    const outcome = { ours: await sides.ours(), theirs: await sides.theirs() };
    if (round > 0) outcomes.push(outcome);
  }
  const median = (of: (outcome: (typeof outcomes)[number]) => number) =>
    Report.median(outcomes.map(of));
  const value = median(({ ours, theirs }) => ours / theirs);
  const [ours, theirs] = [median(({ ours }) => ours), median(({ theirs }) => theirs)];
  return {
    cells: [name, `${show(ours)} / ${show(theirs)} = ${Report.ratio(value)}`],
    value,
    target,
  };
};
