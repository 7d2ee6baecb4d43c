import { setTimeout as sleep } from "node:timers/promises";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";

/**
 * Workers that wait in `work_next`: their memory, and the delay until a new issue reaches a worker.
 */

const workers = 500;

interface Next {
  readonly run: { readonly runId: string } | null;
  readonly reason?: string;
}

/** Reads the resident memory repeatedly until it is stopped. Returns the maximum in MiB. */
const watch = (pid: number) => {
  let most = 0;
  const look = async () => {
    most = Math.max(most, (await Processes.memory(pid)).resident);
  };
  const timer = setInterval(() => void look(), 500);
  return () => {
    clearInterval(timer);
    return most;
  };
};

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Line>> => {
  const waitSeconds = quick ? 20 : 55;
  const issues = quick ? 100 : 400;
  const server = await Processes.quartermaster(Processes.path("agents-waiting"));
  Report.progress(`waiting: ${workers} agents`);
  const agents = await Scene.agents(server, "waiting", workers);
  const next = (agent: Scene.Agent, wait: number) =>
    Scene.answerOf<Next>(server, Scene.call(agent, "work_next", { waitSeconds: wait }));
  // The same calls warm up: the code is compiled, and the heap reaches the size that such calls
  // need.
  for (let burst = 0; burst < 3; burst++) {
    await Promise.all(agents.map((agent) => next(agent, 0)));
  }
  for (const agent of agents.slice(0, issues)) {
    await Scene.issue(server, agent);
    await next(agent, 0);
    await Scene.answerOf(server, Scene.call(agent, "work_finish", { outcome: "resolved" }));
  }
  // Both sides close idle connections.
  await sleep(10_000);
  const before = (await Processes.memory(server.pid)).resident;

  const stop = watch(server.pid);
  const began = performance.now();
  const answers = agents.map(async (agent) => ({
    ...(await next(agent, waitSeconds)),
    at: performance.now(),
  }));
  await sleep(5_000);
  const latencies: Array<number> = [];
  // The last issue is created before the other workers stop waiting.
  const every = ((waitSeconds - 8) * 1_000) / issues;
  for (let index = 0; index < issues; index++) {
    if (index % 50 === 0) Report.progress(`waiting: issue ${index} of ${issues}`);
    const agent = agents[index];
    const answer = answers[index];
    if (agent === undefined || answer === undefined) throw new Error("fewer workers than issues");
    const sent = performance.now();
    await Scene.issue(server, agent);
    const { at, run } = await answer;
    if (run === null) throw new Error(`${agent.id} has got no run`);
    latencies.push(at - sent);
    await sleep(Math.max(0, every - (performance.now() - sent)));
  }
  const rest = await Promise.all(answers.slice(issues));
  const waited = (performance.now() - began) / 1_000;
  const most = stop();
  if (rest.some(({ reason }) => reason !== "nothing") || waited < waitSeconds) {
    throw new Error(`a worker did not wait for ${waitSeconds} s`);
  }
  await server.end();
  Processes.remove("agents-waiting");

  const sorted = latencies.toSorted((a, b) => a - b);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  return [
    {
      cells: [
        `memory of ${workers} workers that wait ${waitSeconds} s in work_next`,
        `${Report.mib(most - before)}, over ${Report.mib(before)}`,
      ],
      value: most - before,
      target: { limit: 64, is: "below" },
    },
    {
      cells: [
        "p99 from the creation of an issue until its waiting worker has it",
        `${Report.ms(p99)}, p50 ${Report.ms(Report.median(latencies))}`,
      ],
      value: p99,
      target: { limit: 100, is: "below" },
    },
  ];
};
