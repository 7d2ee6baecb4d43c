// Counts the effects that happen twice or late when runners die and the commands that they started go on: for three
// behaviors of a command, each with and without `once`, side by side on one server. A runner here is a part of this
// process: once killed, it renews and hands in nothing, and its commands run on. `--issues N` sets the number of
// issues of each table row, `--kills N` the number of killed runners, `--seed N` repeats the random choices. Late is
// a call that arrives at the server after the end of its run. Fails if an effect under `once` happens twice.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { send } from "./calls/Roads.ts";
import * as Stage from "./calls/Stage.ts";
import * as Watch from "./calls/Watch.ts";
import * as Processes from "./Processes.ts";
import { seeded } from "./Random.ts";

const { values } = parseArgs({
  options: {
    issues: { type: "string", default: "200" },
    kills: { type: "string", default: "100" },
    seed: { type: "string" },
  },
});
const issueCount = Number(values.issues);
const killCount = Number(values.kills);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
const random = seeded(seed);
const runnerCount = 12;
const concurrency = 3;
const leaseSeconds = 5;
const effectsEach = 4;
const renewMillis = 1_500;
/** The time limit in milliseconds. */
const limitMillis = 1_200_000;
/** The time between two effects in milliseconds: 1 to 10 s. */
const between = () => 1_000 + random.below(9_000);

const behaviors = ["ignores", "exits", "turns"] as const;
const words = {
  ignores: "ignores stop notices",
  exits: "exits at the first stop notice",
  turns: "calls turn before every effect",
};

const limit = setTimeout(() => {
  console.log(`Not done after ${limitMillis / 1_000} s.`);
  process.exit(1);
}, limitMillis);

const file = join(Processes.folder, "arrivals");
const program = join(import.meta.dirname, "calls/server.mjs");
const stage = await Stage.open([Stage.entry("ledger", [program, file])]);
await stage.install("ledger", { name: "plain" });
const once = [{ tools: ["pay"], by: ["/issue", "/step"] }];
await stage.install("ledger", { name: "once", once });

interface Row {
  readonly behavior: (typeof behaviors)[number];
  readonly server: "plain" | "once";
}

const work = async ({ behavior, server }: Row, number: number) => {
  const { agentId, key } = stage.keys[number] ?? { agentId: "", key: "" };
  const issues = new Set<string>();
  for (let count = 0; count < issueCount; count += 1) {
    const body = { title: "Pay", assignedAgentId: agentId };
    issues.add((await stage.ask("POST", "/api/projects/partition/issues", body)).id);
  }
  const left = new Set(issues);
  const as = (path: string, body: object) =>
    send(stage.one.url, key, "POST", `/api/agents/${agentId}${path}`, body);

  /** A command: whether its runner is alive does not matter to it. */
  const command = async (runId: string, issue: string): Promise<boolean> => {
    let isDone = true;
    for (let step = 0; step < effectsEach; step += 1) {
      await sleep(between());
      if (behavior === "turns") {
        const turn = await as(`/runs/${runId}/turn`, {});
        if (turn.body?.action !== "continue") return false;
      }
      const args = { run: runId, issue, step, ms: 0 };
      const { status } = await as("/tools/call", {
        name: `${server}__pay`,
        arguments: args,
        runId,
      });
      if (status === 200) continue;
      isDone = false;
      if (behavior === "exits") return false;
    }
    return isDone;
  };

  const over = () => left.size === 0;
  const runner = async (signal: AbortSignal) => {
    const held = new Set<string>();
    const start = async (runId: string, issue: string) => {
      held.add(runId);
      const isDone = await command(runId, issue);
      held.delete(runId);
      if (signal.aborted) return;
      const outcome = isDone ? "resolved" : "released";
      const { status } = await as(`/runs/${runId}/finish`, { outcome });
      if (isDone && status === 200) left.delete(issue);
    };
    while (!signal.aborted && !over()) {
      const capacity = concurrency - held.size;
      const beat = await as("/heartbeat", { capacity, leaseSeconds, runs: [...held] });
      for (const { issue, runId } of beat.body?.started ?? []) void start(runId, issue.id);
      for (const { runId } of beat.body?.stop ?? []) held.delete(runId);
      await sleep(renewMillis);
    }
  };

  const alive = Array.from({ length: runnerCount }, () => new AbortController());
  const launch = (seat: number): void => {
    const controller = new AbortController();
    alive[seat] = controller;
    void runner(controller.signal);
  };
  for (const seat of alive.keys()) launch(seat);
  let killed = 0;
  while (!over()) {
    await sleep(500 + random.below(1_000));
    const progress = (issueCount - left.size) / issueCount;
    if (killed >= killCount || killed > 3 + progress * killCount * 1.1) continue;
    const seat = random.below(runnerCount);
    alive[seat]?.abort();
    killed += 1;
    launch(seat);
  }
  return { issues, killed };
};

const rows: ReadonlyArray<Row> = (["plain", "once"] as const).flatMap((server) =>
  behaviors.map((behavior) => ({ behavior, server })),
);
console.log(`Seed ${seed}. ${rows.length} times ${issueCount} issues of ${effectsEach} effects.`);
const worked = await Promise.all(rows.map(work));
// Commands of killed runners still go on.
await sleep(effectsEach * 10_000);
const watch = Watch.open(join(Processes.folder, "data", "quartermaster.db"));
const ends = watch.ends();
watch.suspend();
watch.close();
await Promise.all([stage.one.stop(), stage.two.stop()]);

const arrivals = readFileSync(file, "utf8")
  .split("\n")
  .slice(0, -1)
  .map((line) => JSON.parse(line) as { at: number; run: string; issue: string; step: number });
console.log(
  "| a command whose runner was killed | once | runners killed | effects | twice | late |",
);
console.log("| --- | --- | ---: | ---: | ---: | ---: |");
let wrong = 0;
for (const [number, { behavior, server }] of rows.entries()) {
  const { issues, killed } = worked[number] ?? { issues: new Set(), killed: 0 };
  const own = arrivals.filter(({ issue }) => issues.has(issue));
  const twice = own.length - new Set(own.map(({ issue, step }) => `${issue} ${step}`)).size;
  const late = own.filter(({ at, run }) => at > (ends.get(run) ?? at)).length;
  if (server === "once") wrong += twice;
  console.log(
    `| ${words[behavior]} | ${server === "once" ? "yes" : "no"} | ${killed} | ${own.length} (${issueCount * effectsEach} expected) | ${twice} | ${late} |`,
  );
}
clearTimeout(limit);
process.exit(wrong === 0 ? 0 : 1);
