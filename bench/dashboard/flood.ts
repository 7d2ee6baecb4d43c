import type { Page } from "playwright-core";
import * as Corpus from "../corpus.ts";
import type { Request } from "../load.ts";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";
import * as Tasks from "./tasks.ts";

/** The memory of the board while other clients change 100 issues a second: it must not grow. */

const issues = 2_000;
const changed = 200;
const rate = 100;
const samples = 20;

const steps = [
  { status: "PendingReview", priority: "high" },
  { status: "Resolved", priority: "normal" },
  { status: "Open", priority: "urgent" },
  { status: "InProgress", priority: "low" },
] as const;

/** Changes the newest issues in turn, each to a different status. No column is ever empty. */
const requests = steps.flatMap((_, time) =>
  Array.from({ length: changed }, (__, index): Request => ({
    method: "PUT",
    path: `/api/projects/issues/${Corpus.issueId(issues - index)}`,
    body: JSON.stringify(steps[(index + time) % steps.length]),
  })),
);

interface Sample {
  /** In MiB, after a garbage collection. */
  readonly heap: number;
  readonly nodes: number;
  readonly listeners: number;
  readonly entries: number;
}

const sampler = async (page: Page) => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  return async (): Promise<Sample> => {
    await cdp.send("HeapProfiler.collectGarbage");
    const { metrics } = await cdp.send("Performance.getMetrics");
    const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
    return {
      heap: metric("JSHeapUsedSize") / 1024 / 1024,
      nodes: metric("Nodes"),
      listeners: metric("JSEventListeners"),
      entries: await Scene.run<number>(page, "bench.entries()"),
    };
  };
};

const figures = [
  { field: "heap", name: "JavaScript heap in MiB", print: (value: number) => value.toFixed(1) },
  { field: "nodes", name: "DOM nodes", print: Report.count },
  { field: "listeners", name: "event listeners", print: Report.count },
  { field: "entries", name: "entries of the performance timeline", print: Report.count },
] as const;

/** The largest allowed ratio of a figure at the end to the same figure in the middle. */
const limit = 1.1;

export const run = async (
  quick: boolean,
  seconds = quick ? 10 : 60,
): Promise<ReadonlyArray<Report.Line>> => {
  const { end, server } = await Scene.start("dashboard-flood", issues);
  const { close, page } = await Scene.open(server, "/work");
  await Scene.settled(page);
  const sample = await sampler(page);
  const load = Processes.load();
  const { key, port } = server;
  const duration = seconds * 1_000;
  const job = { port, key, requests, connections: 8, rate, warmUp: 0, duration };
  const flood = load.run(job);
  const taken: Array<Sample> = [];
  for (let index = 1; index <= samples; index++) {
    Report.progress(`flood: ${Math.round((index * seconds) / samples)} of ${seconds} s`);
    await page.waitForTimeout(duration / samples);
    taken.push(await sample());
  }
  const { perSecond } = await flood;
  const traced = await Tasks.record(page);
  await load.run({ ...job, duration: 5_000 });
  const longest = await traced();
  await Promise.all([load.end(), close()]);
  await end();

  const part = (from: number, to: number) => taken.slice(samples * from, samples * to);
  const lines = figures.map(({ field, name, print }): Report.Line => {
    const middle = Report.median(part(0.4, 0.6).map((one) => one[field]));
    const last = Report.median(part(0.8, 1).map((one) => one[field]));
    return {
      cells: [`${name}, end / middle`, `${print(last)} / ${print(middle)}`],
      value: last / middle,
      target: { limit, is: "atMost" },
    };
  });
  return [
    {
      cells: [`changes a second, of ${rate}, for ${seconds} s`, perSecond.toFixed(1)],
      value: perSecond,
      target: { limit: rate * 0.95, is: "atLeast" },
    },
    ...lines,
    Tasks.line("board in a flood", longest),
  ];
};
