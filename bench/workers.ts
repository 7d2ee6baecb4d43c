import { cpSync, readFileSync } from "node:fs";
import type { Request } from "./load.ts";
import * as Processes from "./processes.ts";
import { processorTime } from "./processorTime.ts";
import * as Report from "./report.ts";
import * as Requests from "./requests.ts";
import * as Seed from "./seed.ts";

/** The same requests to a server in one process, and to two and four workers, in turn, on SQLite. */

const counts = [1, 2, 4];
const issues = 10_000;

const routes: ReadonlyArray<readonly [name: string, requests: ReadonlyArray<Request>]> = [
  ["get by id", Requests.get(issues)],
  ["create", Requests.create()],
  ["list of 50", Requests.list(issues, 1)],
];

interface Outcome {
  readonly perSecond: number;
  /** Milliseconds of processor time for each request, in all processes of the server. */
  readonly time: number;
}

/** The resident memory of a process and its children in MiB. */
const memory = async (pid: number): Promise<number> => {
  const children =
    process.platform === "linux"
      ? readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ")
      : [];
  let sum = 0;
  for (const each of [pid, ...children.filter((child) => child !== "").map(Number)]) {
    sum += (await Processes.memory(each)).resident;
  }
  return sum;
};

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Table>> => {
  const rounds = quick ? 2 : 7;
  const duration = quick ? 500 : 1_500;
  const seeded = Processes.path("workers");
  Report.progress(`seeding ${Report.count(issues)} issues`);
  await Seed.quartermaster(seeded, { issues, projects: 1 });
  const servers: Array<Processes.Server> = [];
  for (const count of counts) {
    const dataDir = Processes.path(`workers-${count}`);
    cpSync(seeded, dataDir, { recursive: true });
    servers.push(await Processes.quartermaster(dataDir, [], { QM_WORKERS: String(count) }));
  }
  const load = Processes.load();
  const lines: Array<Report.Line> = [];
  for (const [name, requests] of routes) {
    const outcomes = counts.map((): Array<Outcome> => []);
    // The first two rounds warm up, while the workers start.
    for (let round = -1; round <= rounds; round++) {
      Report.progress(`${name}: round ${round} of ${rounds}`);
      for (const [index, { key, pid, port }] of servers.entries()) {
        const before = processorTime(pid);
        const job = { port, key, requests, connections: 16, warmUp: 0, duration };
        const { perSecond } = await load.run(job);
        const time = (processorTime(pid) - before) / ((perSecond * duration) / 1_000);
        if (round > 0) outcomes[index]?.push({ perSecond, time });
      }
    }
    lines.push({
      cells: [
        `${name}, 16 connections`,
        ...outcomes.map((each) => {
          const median = (of: (outcome: Outcome) => number) => Report.median(each.map(of));
          const rate = Report.count(median(({ perSecond }) => perSecond));
          return `${rate}/s, ${Report.ms(median(({ time }) => time))}`;
        }),
      ],
    });
  }
  const memories = [];
  for (const { pid } of servers) memories.push(Report.mib(await memory(pid)));
  lines.push({ cells: ["resident, all processes", ...memories] });
  await load.end();
  await Promise.all(servers.map((server) => server.end()));
  return [
    {
      title:
        "Worker processes: requests a second, and processor time of each (medians of the rounds)",
      columns: ["", ...counts.map((count) => `${count} worker${count === 1 ? "" : "s"}`)],
      lines,
    },
  ];
};
