// Three nodes on one PostgreSQL, behind a balancer: 20 runners do linked issues while for a minute runners, commands
// and nodes are killed, the database is, and its connections break or fall silent. Fails unless every issue is done
// exactly once, no call was admitted for a run that was over, and no event was missed. `--issues N` sets the number of
// issues, `--seconds N` the time of the faults, `--seed N` repeats the random choices.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { connect } from "@quartermaster/client";
import { Cluster } from "../../packages/storage-postgres/test/support/Cluster.ts";
import { Proxy } from "../../packages/storage-postgres/test/support/Proxy.ts";
import type { Arrival } from "../demo-kill/calls/Judge.ts";
import * as Stage from "../demo-kill/calls/Stage.ts";
import * as Chaos from "../demo-kill/Chaos.ts";
import * as Processes from "../demo-kill/Processes.ts";
import * as Proof from "../demo-kill/Proof.ts";
import { seeded } from "../demo-kill/Random.ts";
import * as Records from "../demo-kill/Records.ts";
import * as Runners from "../demo-kill/Runners.ts";
import * as Server from "../demo-kill/Server.ts";
import * as Work from "../demo-kill/Work.ts";
import * as Balancer from "./Balancer.ts";
import * as Faults from "./Faults.ts";
import * as Latency from "./Latency.ts";
import * as Person from "./Person.ts";
import * as Witness from "./Witness.ts";

const { values } = parseArgs({
  options: {
    issues: { type: "string", default: "200" },
    seconds: { type: "string", default: "60" },
    seed: { type: "string" },
  },
});
const issueCount = Number(values.issues);
const rageMillis = Number(values.seconds) * 1_000;
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
const random = seeded(seed);
const nodeCount = 3;
const runnerCount = 20;
/** A crash loses commits of three times `wal_writer_delay`, and itself takes time. */
const unwrittenMillis = 1_000;
/** The time limit of the demo, in milliseconds. */
const limitMillis = 600_000;

const beganAt = performance.now();
const say = (text: string) => {
  const seconds = Math.round((performance.now() - beganAt) / 1_000);
  console.log(`${String(seconds).padStart(4)} s  ${text}`);
};

if (Cluster.missing !== undefined) {
  console.log(`skipped: ${Cluster.missing}`);
  process.exit(0);
}

say(`Seed ${seed}. Starting PostgreSQL and ${nodeCount} nodes.`);
const cluster = await Cluster.start(Witness.settings);
const end = async (code: number) => {
  await cluster.remove();
  process.exit(code);
};
const late = setTimeout(() => {
  say(`Not done after ${limitMillis / 1_000} s.`);
  void end(1);
}, limitMillis);

const arrivalsFile = join(Processes.folder, "arrivals");
const catalog = join(Processes.folder, "catalog.json");
const ledger = join(import.meta.dirname, "../demo-kill/calls/server.mjs");
writeFileSync(catalog, JSON.stringify([Stage.entry("ledger", [ledger, arrivalsFile])]));
const secretKey = Buffer.from(Array.from({ length: 32 }, () => random.below(256)));

const networks = await Promise.all(Array.from({ length: nodeCount }, () => Proxy.to(cluster.port)));
const nodes = await Promise.all(
  networks.map(({ port }, number) =>
    Server.start(
      {
        QM_DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres`,
        QM_SECRET_KEY: secretKey.toString("base64"),
        QM_CATALOG: catalog,
      },
      `node-${number + 1}`,
    ),
  ),
);
const key = nodes.map((node) => node.key).find((text) => text !== "") ?? "";
const witness = await Witness.open(cluster.url);
const balancer = await Balancer.start(nodes.map(({ port }) => port));
const connectTo = (url: string) => connect({ url, key });
const client = connectTo(balancer.url);

const [one, two] = nodes.map(({ url }) => connectTo(url));
const times = await Latency.measure(one ?? client, two ?? client, "elsewhere", 200);
const ends = new AbortController();
const { done, events, reading } = await Work.follow(client, ends.signal);
const blockers = await Work.create(client, random, issueCount);
const keys = await Promise.all(
  Work.agentIds.map((agentId) => client.keys.create({ name: agentId, role: "Editor", agentId })),
);
const { id: serverId } = await client.servers.install({ catalogId: "ledger" });
await client.servers.verify({ serverId });
await client.servers.enable({ serverId });
const entries = Work.agentIds.map((agentId) => ({ agentId, granted: true }));
await client.servers.putAccess({ serverId, entries });

say(`${blockers.size} issues in a graph, each with up to two blockers. Starting the runners.`);
const seats = Array.from({ length: runnerCount }, (_, number) => {
  const at = number % keys.length;
  return { agentId: Work.agentIds[at] ?? "", key: keys[at]?.key ?? "" };
});
const command = [process.execPath, join(import.meta.dirname, "command.mjs")];
const runners = Runners.start(balancer.url, seats, command);
while (runners.alive().length < runnerCount || done.size === 0) await sleep(100);

const calm = new AbortController();
const over = new AbortController();
const person = Person.steer(client, random, { calm: calm.signal, over: over.signal });
const progress = setInterval(() => {
  say(`${done.size} of ${blockers.size} issues done, ${runners.killed.size} runners killed`);
}, 5_000);

say(
  `Faults for ${rageMillis / 1_000} s: kill -9 of runners, commands and nodes; the database's connections.`,
);
const house = { cluster, nodes, networks, witness };
const [kills, faults] = await Promise.all([
  Chaos.rage(runners, random, rageMillis),
  Faults.rage(house, random, rageMillis, say),
]);
calm.abort();
say("No more faults.");
while (done.size < blockers.size) await sleep(100);
over.abort();
const { cleared, paused } = await person;
clearInterval(progress);
await runners.stop();
while (Records.read(Processes.records).some(Processes.isRunning)) await sleep(100);

const statuses = new Map<string, string>();
for await (const { id, status } of client.issues.list({ projectId: Work.projectId })) {
  statuses.set(id, status);
}
const runs = await Work.runs(client);
const commands = Records.read(Processes.records);
const admissions = await witness.admissions();
const arrivals = existsSync(arrivalsFile)
  ? readFileSync(arrivalsFile, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Arrival)
  : [];
const unnoted = arrivals.filter(({ callId }) => callId === null || !admissions.callIds.has(callId));
// Admissions are commits that the database need not have written when it responds: a crash loses the last of them.
const strays = unnoted.filter(
  ({ at }) => at < faults.databaseAt - unwrittenMillis || at > faults.databaseAt,
);
const stored = new Set(await witness.eventIds(Work.projectId));
const missed = [...stored].filter((id) => !events.some((event) => event.id === id));
const violations = [
  ...runners.failures,
  ...admissions.late,
  ...strays.map(({ callId, run }) => `${run}: the call ${callId} arrived without an admission`),
  ...missed.map((id) => `${id}: the stream missed the event`),
  ...Proof.violations({
    statuses,
    blockers,
    events,
    runs,
    commands,
    killedRunners: runners.killed,
  }),
];
ends.abort();
await reading;
await witness.close();
await Promise.all(nodes.map((node) => node.stop()));

const broken = new Set(violations.map((text) => text.split(":")[0]));
const ofOutcome = (name: string | null) => runs.filter(({ outcome }) => outcome === name).length;
const total = kills.runner + kills.command + kills.both;
const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(0);
console.log(`
kills              ${total} of runners and commands, ${faults.node} of a node, 1 of the database
connections        ended by the database ${faults.connections} times, broken ${faults.network} times, silent ${faults.silence} times
attempts           ${runs.length} runs: ${ofOutcome("resolved")} resolved, ${ofOutcome("failed")} failed, ${ofOutcome("released")} released, ${ofOutcome(null)} leases expired
a person           paused issues ${paused} times, cleared ${cleared} delays
calls              ${admissions.callIds.size} admitted, ${arrivals.length} arrived, ${unnoted.length - strays.length} admissions lost in the database's crash
seen elsewhere     an event on another node after ${at(0.5)} ms (p50), ${at(0.99)} ms (p99), before the faults

${blockers.size - broken.size} of ${blockers.size} exactly once, ${admissions.late.length} late effects`);
for (const violation of violations.slice(0, 50)) console.log(`WRONG  ${violation}`);
clearTimeout(late);
await end(violations.length === 0 ? 0 : 1);
