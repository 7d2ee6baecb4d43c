// Makes payments by tools that happen once per issue, at servers that pay and lose their replies, while runs
// lose their leases, are paused, reassigned, taken over and retried, and processes and nodes are killed. Fails if a
// payment happens twice, or an issue ends without its payments. `--effects N` sets the number of payments,
// `--seed N` repeats the random choices of workers and people. `--patience S` is the time in seconds for the last issues
// after all others are resolved, `--limit S` the time for everything. `--without-once` shows what happens to calls that are not effects.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import * as Disorder from "./calls/Disorder.ts";
import * as Stage from "./calls/Stage.ts";
import * as Book from "./effects/Book.ts";
import { type IssueEvidence, judge } from "./effects/Judge.ts";
import * as Payments from "./effects/Payments.ts";
import * as Person from "./effects/Person.ts";
import * as Refusals from "./effects/Refusals.ts";
import * as Processes from "./Processes.ts";
import { seeded } from "./Random.ts";

const { values } = parseArgs({
  options: {
    effects: { type: "string", default: "10000" },
    limit: { type: "string", default: "1200" },
    patience: { type: "string", default: "60" },
    seed: { type: "string" },
    "without-once": { type: "boolean", default: false },
  },
});
const stepsEach = Payments.stepsOf(0).length;
const issueCount = Math.ceil(Number(values.effects) / stepsEach);
const target = issueCount * stepsEach;
const patienceMillis = Number(values.patience) * 1_000;
const isOnce = !values["without-once"];
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
const random = seeded(seed);
const processCount = 6;
const seatsEach = 4;
/** The time limit in milliseconds. */
const limitMillis = Number(values.limit) * 1_000;
/** Payments between two kills of a process. */
const paymentsPerKill = 120;
/** Payments between two acts of a person who disturbs the work. */
const paymentsPerAct = 12;
/** Kills of a node. */
const crashCount = Math.max(1, Math.round(target / 2_500));

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
const file = join(Processes.folder, "payments.db");
const program = join(import.meta.dirname, "effects/server.mjs");
const stage = await Stage.open(
  Payments.servers.map(({ name }) =>
    Stage.entry(name, [program, file, name, ...(name === "card" ? ["errors"] : [])]),
  ),
);
for (const { name, once, settings } of Payments.servers) {
  await stage.install(name, {
    name,
    callTimeoutSeconds: 1,
    ...(isOnce ? { once, ...settings } : {}),
  });
}
const { agentIds } = Stage;
const ids: Array<string> = [];
const creators = Array.from({ length: 8 }, (_, creator) => creator);
await Promise.all(
  creators.map(async (creator) => {
    for (let number = creator; number < issueCount; number += creators.length) {
      const body = { title: `Payment ${number}`, assignedAgentId: random.pick(agentIds) };
      ids[number] = (
        await stage.ask("POST", `/api/projects/${Disorder.projectId}/issues`, body)
      ).id;
    }
  }),
);
const table = Payments.open(file);
const book = Book.open(join(Processes.folder, "data", "quartermaster.db"));
const { key } = stage.one;
const { urls } = stage;

say(
  `${issueCount} issues. ${processCount} processes with ${seatsEach} runs each make their payments.`,
);
const over = new AbortController();
/** Waits until more payments were made, so that the disorder is as large on a slow machine. */
const pace = async () => {
  const after = table.count() + paymentsPerAct;
  while (table.count() < after && !over.signal.aborted) await sleep(20);
};
const scene = { urls, key, agentIds, watch: book, random, pace, waiting: 0 };
const raging = Disorder.rage(scene, over.signal);
const person = Person.make({ urls, key, book, random, table });
const helping = person.work(over.signal);
const workers = Stage.runProcesses(join(import.meta.dirname, "effects/worker.ts"), stage, {
  processes: processCount,
  seatsEach,
  seed,
});

let killed = 0;
let crashes = 0;
const crash = async () => {
  crashes += 1;
  say("kill -9 of a node.");
  const node = random.pick([stage.one, stage.two]) ?? stage.two;
  await node.kill();
  await node.restart();
};

/**
 * Whether an effect is in the way of each issue that is not resolved. An issue that waits without a reason keeps the
 * work going until the time limit. `forGood`: an effect that stays unknown.
 */
const isStuck = (forGood: boolean) => {
  const inTheWay = book
    .inTheWay()
    .filter(({ callId, server }) => !forGood || (server === "desk" && Payments.isLeft(callId)));
  const stuck = new Set(inTheWay.map(({ issueId }) => issueId));
  return book.unresolved().every(({ id }) => stuck.has(id));
};

let said = 0;
let stuckAt: number | null = null;
for (;;) {
  await Promise.race([sleep(200), workers.running]);
  const count = table.count();
  while (killed < Math.floor(count / paymentsPerKill)) {
    killed += 1;
    workers.kill(random.below(processCount));
  }
  if (crashes < crashCount && count >= ((crashes + 0.5) / crashCount) * target) await crash();
  if (performance.now() - said > 5_000) {
    said = performance.now();
    say(
      `${count} payments, ${issueCount - book.unresolved().length} of ${issueCount} issues resolved`,
    );
  }
  if (isStuck(true)) break;
  // The call of a killed node is lost after 30 seconds, and its issue then goes on.
  stuckAt = isStuck(false) ? (stuckAt ?? performance.now()) : null;
  if (stuckAt !== null && performance.now() - stuckAt >= patienceMillis) break;
}
over.abort();
const [acts] = await Promise.all([raging, helping]);
await workers.end();
say("The processes have ended. Calls that are equal to lost ones have to be refused.");

const evidence = async (): Promise<ReadonlyArray<IssueEvidence>> => {
  const open = new Set(book.unresolved().map(({ id }) => id));
  return Promise.all(
    ids.map(async (id, number) => ({
      id,
      isResolved: !open.has(id),
      steps: Payments.stepsOf(number),
      effects: await stage.ask("GET", `/api/projects/issues/${id}/effects`),
    })),
  );
};
const refused = isOnce ? await Refusals.prove(stage, book, await evidence()) : new Set<string>();
const issues = await evidence();
await Promise.all([stage.one.stop(), stage.two.stop()]);
const payments = table.all();
const outcomes = book.outcomes();
const verdict = judge({ issues, payments, refused });
const state = (name: "done" | "failed" | "sent" | "unknown") => verdict.states.get(name) ?? 0;
console.log(`
runs               ${book.countOf("issue.pickedUp")}: ${book.countOf("issue.finished")} handed in, ${book.countOf("issue.stopped")} stopped, ${book.countOf("issue.leaseExpired")} leases expired, ${book.countOf("run.takenOver")} taken over
stops by a person  ${acts.pause} pauses, ${acts.reassign} reassignments, ${acts.agent} pauses of an agent, ${acts.project} of the project
kills              ${killed} of a process with ${seatsEach} runs, ${crashes} of a node
payments           ${payments.length} of ${target}
effects            ${state("done")} done, ${state("unknown")} unknown and refused, ${state("sent")} in flight on a killed node, ${state("failed")} failed
replies lost       ${book.countOf("issue.effectSettled")} settled, ${person.settled()} of them by a person
repeated calls     ${outcomes.get("replayed") ?? 0} replayed, ${outcomes.get("refused") ?? 0} refused
carried out twice  ${verdict.twice}
issues             ${issues.filter(({ isResolved }) => isResolved).length} of ${issueCount} resolved

The servers wrote each payment into their own table before they lost its reply. A payment that an issue does not
ask for was carried out twice. Issues that are not resolved wait for an effect whose reply is lost and not settled.`);
table.close();
book.close();
for (const violation of verdict.violations.slice(0, 50)) console.log(`WRONG  ${violation}`);
clearTimeout(limit);
process.exit(verdict.violations.length === 0 ? 0 : 1);
