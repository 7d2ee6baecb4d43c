// Runs 20 runners on 200 linked issues, and for a minute kills runners and commands with SIGKILL,
// and once the server. Fails unless every issue is done exactly once. `--seed N` repeats the random
// choices.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { connect } from "@quartermaster/client";
import * as Chaos from "./Chaos.ts";
import * as Processes from "./Processes.ts";
import * as Proof from "./Proof.ts";
import { seeded } from "./Random.ts";
import * as Records from "./Records.ts";
import * as Runners from "./Runners.ts";
import * as Server from "./Server.ts";
import * as Work from "./Work.ts";

const runnerCount = 20;
const rageMillis = 60_000;
/** The server's downtime in milliseconds, without its start-up time. */
const awayMillis = 2_000;
/** The time limit of the demo, in milliseconds. */
const limitMillis = 600_000;

const { values } = parseArgs({ options: { seed: { type: "string" } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
const random = seeded(seed);
const beganAt = performance.now();
const say = (text: string) => {
  const seconds = Math.round((performance.now() - beganAt) / 1_000);
  console.log(`${String(seconds).padStart(4)} s  ${text}`);
};

const late = setTimeout(() => {
  say(`Not done after ${limitMillis / 1_000} s.`);
  process.exit(1);
}, limitMillis);

say(`Seed ${seed}. Starting the server.`);
const server = await Server.start();
const client = connect({ url: server.url, key: server.key });
const ends = new AbortController();
const { done, events, reading } = await Work.follow(client, ends.signal);
const blockers = await Work.create(client, random);
const keys = await Promise.all(
  Work.agentIds.map((agentId) => client.keys.create({ name: agentId, role: "Editor", agentId })),
);
say(`${blockers.size} issues in a graph, each with up to two blockers. Starting the runners.`);
const seats = Array.from({ length: runnerCount }, (_, number) => {
  const at = number % keys.length;
  return { agentId: Work.agentIds[at] ?? "", key: keys[at]?.key ?? "" };
});
const runners = Runners.start(server.url, seats);
while (runners.alive().length < runnerCount || done.size === 0) await sleep(100);

const over = new AbortController();
let cleared = 0;
const person = (async () => {
  while (!over.signal.aborted) {
    await sleep(2_000);
    cleared += await Work.clearDelays(client);
  }
})();
const progress = setInterval(() => {
  const commands = Records.read(Processes.records);
  say(
    `${done.size} of ${blockers.size} issues done, ${commands.length} commands started, ${runners.killed.size} runners killed`,
  );
}, 5_000);

say("kill -9 at random for a minute.");
const rage = Chaos.rage(runners, random, rageMillis);
await sleep(rageMillis / 2);
say("kill -9 of the server.");
const away = await server.crash(awayMillis);
say(`The server is back after ${(away / 1_000).toFixed(1)} s.`);
const kills = await rage;
say("No more kills.");
while (done.size < blockers.size) await sleep(100);
over.abort();
await person;
clearInterval(progress);
await runners.stop();
// Commands whose runner was killed still run.
while (Records.read(Processes.records).some(Processes.isRunning)) await sleep(100);

const statuses = new Map<string, string>();
for await (const { id, status } of client.issues.list({ projectId: Work.projectId })) {
  statuses.set(id, status);
}
const runs = await Work.runs(client);
const commands = Records.read(Processes.records);
const violations = [
  ...runners.failures,
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
await server.stop();

const successful = new Set(runs.flatMap(({ id, outcome }) => (outcome === "resolved" ? [id] : [])));
const discarded = commands.filter(
  ({ endLine, runId }) => endLine !== null && !successful.has(runId),
);
const orphans = discarded.filter(({ runnerPid }) => runners.killed.has(runnerPid));
const ofOutcome = (name: string | null) => runs.filter(({ outcome }) => outcome === name).length;
const broken = new Set(violations.map((text) => text.split(":")[0]));
const total = kills.runner + kills.command + kills.both;
console.log(`
kills              ${total}: ${kills.runner} of a runner, ${kills.command} of a command, ${kills.both} of both
restarts           ${runners.starts() - runnerCount} of runners, 1 of the server (away for ${(away / 1_000).toFixed(1)} s)
attempts           ${runs.length} runs: ${ofOutcome("resolved")} resolved, ${ofOutcome("failed")} failed, ${ofOutcome("released")} released, ${ofOutcome(null)} leases expired
delays cleared     ${cleared}, by a person
commands           ${commands.length} started, ${commands.length - discarded.length - successful.size} ended before their work was done
results discarded  ${discarded.length}: ${orphans.length} of a killed runner, ${discarded.length - orphans.length} of a run whose lease was over
issues done        ${done.size} of ${blockers.size}
done exactly once  ${blockers.size - broken.size} of ${blockers.size}

Exactly once: of each issue one run succeeded, after its command had finished its work; every other result
was discarded. In the order of the ${events.length} events, no run started while another run held the issue, or
before a blocker was done. A command that worked beside the next run of its issue (${Proof.overlapping(commands).length}) was an orphan: its
runner had been killed.`);
for (const violation of violations) console.log(`WRONG  ${violation}`);
clearTimeout(late);
process.exit(violations.length === 0 ? 0 : 1);
