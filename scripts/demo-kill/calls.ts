// Calls tools of an MCP server for runs that lose their leases, are paused, reassigned, deleted and taken
// over at random, by processes that are killed, through two nodes of which one is killed. Fails if the
// server gets a call that was admitted for a run that was over. `--calls N` sets the number of calls,
// `--seed N` repeats the random choices.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import * as Disorder from "./calls/Disorder.ts";
import { type Arrival, judge } from "./calls/Judge.ts";
import { names } from "./calls/Roads.ts";
import * as Stage from "./calls/Stage.ts";
import * as Watch from "./calls/Watch.ts";
import * as Processes from "./Processes.ts";
import { seeded } from "./Random.ts";

const { values } = parseArgs({
  options: { calls: { type: "string", default: "10000" }, seed: { type: "string" } },
});
const target = Number(values.calls);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
const random = seeded(seed);
const processCount = 6;
const seatsEach = 4;
/** The time limit in milliseconds: a slow machine that is busy needs 90 for a call. */
const limitMillis = 60_000 + target * 150;
/** Calls between two kills of a process, and of a node. */
const callsPerKill = 100;
const callsPerCrash = Math.ceil(target / 2.5);

const beganAt = performance.now();
const say = (text: string) => {
  const seconds = Math.round((performance.now() - beganAt) / 1_000);
  console.log(`${String(seconds).padStart(4)} s  ${text}`);
};
const limit = setTimeout(() => {
  say(`Not done after ${limitMillis / 1_000} s.`);
  process.exit(1);
}, limitMillis);

say(`Seed ${seed}. Starting two nodes on one database.`);
const file = join(Processes.folder, "arrivals");
const stage = await Stage.open([
  Stage.entry("ledger", [join(import.meta.dirname, "calls/server.mjs"), file]),
]);
const { one, two, urls } = stage;
const watch = Watch.open(join(Processes.folder, "data", "quartermaster.db"));
await stage.install("ledger");

const arrivals = (): ReadonlyArray<Arrival> =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Arrival)
    : [];

const over = new AbortController();
let killed = 0;
say(`${processCount} processes with ${seatsEach} runs each call tools by ${names.length} roads.`);
const { agentIds } = Stage;
const pace = () => sleep(20 + random.below(60));
const scene = { urls, key: one.key, agentIds, watch, random, pace, waiting: 40 };
const raging = Disorder.rage(scene, over.signal);
const workers = Stage.runProcesses(join(import.meta.dirname, "calls/worker.ts"), stage, {
  processes: processCount,
  seatsEach,
  seed,
});
let crashes = 0;

/** Kills a node. The processes stand still while it starts, because the witness is out then. */
const crash = async () => {
  crashes += 1;
  say("kill -9 of a node.");
  await two.kill();
  await sleep(2_000);
  workers.signalAll("SIGSTOP");
  await sleep(200);
  watch.suspend();
  await two.restart();
  watch.resume();
  workers.signalAll("SIGCONT");
};

let said = 0;
for (let count = 0; count < target; count = arrivals().length) {
  await Promise.race([sleep(200), workers.running]);
  while (killed < Math.floor(count / callsPerKill)) {
    killed += 1;
    workers.kill(random.below(processCount));
  }
  if (crashes < Math.floor((count + callsPerCrash / 2) / callsPerCrash)) await crash();
  if (performance.now() - said > 5_000) {
    said = performance.now();
    say(`${count} of ${target} calls arrived, ${killed} processes killed`);
  }
}
over.abort();
const acts = await raging;
await workers.end();
await Promise.all([one.stop(), two.stop()]);

watch.suspend();
const { admissions, renewals } = watch;
const [events, ends, outcomes] = [watch.events(), watch.ends(), watch.outcomes()];
watch.close();
const arrived = arrivals();
const verdict = judge({ admissions, renewals, events, ends, arrivals: arrived });
const countOf = (kind: string) => events.filter((event) => event.kind === kind).length;
console.log(`
runs               ${countOf("issue.pickedUp")}: ${countOf("issue.finished")} handed in, ${countOf("issue.stopped")} stopped, ${countOf("issue.leaseExpired")} leases expired, ${countOf("run.takenOver")} of them taken over
stops by a person  ${acts.pause} pauses, ${acts.reassign} reassignments, ${acts.delete} deletions, ${acts.close} closed issues, ${acts.agent} pauses of an agent, ${acts.project} of the project
kills              ${killed} of a process with ${seatsEach} runs, ${crashes} of a node
calls              ${arrived.length} arrived, ${admissions.length} admitted, ${outcomes.get("refused") ?? 0} refused
late               ${verdict.late} by their admission
arrived late       ${verdict.afterEnd}, admitted before the end of their run
hand-ins           ${verdict.handIns} by another run

A call is late if the run was told to stop, had ended or had lost its lease when the call was admitted. Triggers in the
database noted the run of each admission. Attempts of the same issue repeated ${verdict.repeated.note} calls.`);
for (const violation of verdict.violations.slice(0, 50)) console.log(`WRONG  ${violation}`);
clearTimeout(limit);
process.exit(verdict.violations.length === 0 ? 0 : 1);
