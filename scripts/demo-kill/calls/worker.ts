// A process with several seats, which work side by side: `node worker.ts`. Each seat picks an issue
// up, calls tools for its run, and hands it in. It is the worst worker that there is: at random it
// loses its lease, does not listen to stops, calls for runs that are over, and hands them in.
import { setTimeout as sleep } from "node:timers/promises";
import { seeded } from "../Random.ts";
import { mcp, type Reply, type Seat, send, type Step, take } from "./Roads.ts";

interface Settings {
  readonly urls: ReadonlyArray<string>;
  readonly seats: ReadonlyArray<Seat>;
  readonly seed: number;
}

const { seats, seed, urls } = JSON.parse(process.env["DEMO_CALLS"] ?? "{}") as Settings;

/** The seconds of a lease, the shortest that there is. */
const leaseSeconds = 5;
const stallMillis = 5_500;
const payments = 4;

const work = async (seat: Seat, number: number) => {
  const random = seeded(seed + number * 7_919);
  const node = () => random.pick(urls) ?? "";
  const chance = (percent: number) => random.below(100) < percent;
  const rest = (method: string, path: string, body: object, headers = {}) =>
    send(node(), seat.key, method, path, body, headers);
  const service = async (name: string, args: object): Promise<Reply["body"]> => {
    const headers = { "quartermaster-worker": seat.worker };
    const { body } = await mcp(node(), seat.key, "tools/call", { name, arguments: args }, headers);
    const text = body?.result?.content?.[0]?.text;
    return typeof text === "string" && text.startsWith("{") ? JSON.parse(text) : null;
  };
  const path = (run: string, action: string) => `/api/agents/${seat.agentId}/runs/${run}/${action}`;

  /** Calls tools for a run. Calls `step` times at most, and returns early if the run is over. */
  const call = async (run: string, issue: string, count: number, goesOn: boolean) => {
    for (let step = 0; step < count; step += 1) {
      const tool = step % 2 === 0 && step / 2 < payments ? "pay" : "note";
      const ms = chance(4) ? 400 + random.below(800) : random.below(12);
      const at = tool === "pay" ? step / 2 : step;
      const made: Step = { tool, run, issue, step: at, ms };
      const { body, status } = await take(node(), seat, made, random);
      const isRefused = status === 409 || body?.result?.isError === true || body?.error;
      if (isRefused && !goesOn) return;
    }
  };

  /** Hands in a run, whether or not it is over. */
  const handIn = async (run: string, issue: string, outcome: string) => {
    const comment = `Handed in for ${run}.`;
    const how = random.below(3);
    if (how === 0) await service("work_finish", { runId: run, outcome, comment });
    else await rest("POST", path(run, "finish"), { outcome, comment });
    if (how !== 2 || outcome !== "resolved") return;
    const headers = { "quartermaster-run": run };
    await rest("PUT", `/api/projects/issues/${issue}`, { status: "Resolved" }, headers);
  };

  for (;;) {
    const body = { capacity: 1, leaseSeconds };
    const beat = await rest("POST", `/api/agents/${seat.agentId}/heartbeat`, body);
    const started = beat.body?.started?.[0];
    if (started === undefined) {
      await sleep(200 + random.below(300));
      continue;
    }
    let run: string = started.runId;
    const issue: string = started.issue.id;
    // Without a header, calls act for this run from here on. A run that was stopped by now expires.
    const turn = await service("work_turn", { runId: run });
    if (turn?.action !== "continue") continue;
    await call(run, issue, 4 + random.below(8), false);
    if (chance(12)) {
      // The process restarts, takes its own run over, and a leftover of it calls for the old run.
      const taken = await service("work_turn", { runId: run, takeOver: true });
      await call(run, issue, 2, true);
      if (typeof taken?.runId === "string") run = taken.runId;
    }
    if (chance(6)) await sleep(stallMillis + random.below(1_500));
    await call(run, issue, 10, chance(40));
    const outcome = random.pick(["resolved", "resolved", "review", "released", "failed"]) ?? "";
    await handIn(run, issue, outcome);
    await call(run, issue, random.below(3), true);
    // The stops that this process has not acknowledged fence it until it does.
    await service("work_turn", { runId: run });
    await service("work_turn", {});
  }
};

await Promise.all(seats.map(work));
