import type { Page } from "playwright-core";
import { ask } from "../api.ts";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";
import * as Tasks from "./tasks.ts";

/**
 * The page of a run: the longest tasks while a log of 16 MiB is read, scrolled and searched, and the time from a
 * line that a run logs until the page shows it.
 */

const mebibyte = 1_024 * 1_024;

export interface Run {
  readonly agentId: string;
  readonly issueId: string;
  readonly runId: string;
}

/** Starts a run of each of `count` agents. */
export const runs = async (
  server: Processes.Server,
  count: number,
): Promise<ReadonlyArray<Run>> => {
  const started: Array<Run> = [];
  for (let agent = 1; agent <= count; agent++) {
    const agentId = `logger-${agent}`;
    const issue = { title: `Logs of ${agentId}`, assignedAgentId: agentId };
    const { answer: created } = await ask<{ readonly id: string }>(
      server,
      "POST",
      "/api/projects/logs/issues",
      issue,
    );
    const { answer } = await ask<{ readonly started: ReadonlyArray<{ readonly runId: string }> }>(
      server,
      "POST",
      `/api/agents/${agentId}/heartbeat`,
      { capacity: 1 },
    );
    const [run] = answer.started;
    if (run === undefined) throw new Error(`${agentId} has no run`);
    started.push({ agentId, issueId: created.id, runId: run.runId });
  }
  return started;
};

/** The path of a run. */
export const runPath = ({ agentId, runId }: Run) => `/api/agents/${agentId}/runs/${runId}`;
const pathOf = (run: Run) => `${runPath(run)}/log`;

/** A line of a build, about 80 bytes with its colors. */
const line = (number: number) =>
  `\u001b[32m✓\u001b[0m test ${number} of the suite ${number % 97} passed in ${number % 431} ms\n`;

/** Fills the log to its limit. Returns the number of its lines. */
const fill = async (server: Processes.Server, run: Run): Promise<number> => {
  let from = 1;
  let lines = 0;
  for (let bytes = 0; ;) {
    const entries: Array<{ readonly stream: string; readonly text: string }> = [];
    let size = 0;
    while (entries.length < 800) {
      const text = Array.from({ length: 3 }, () => line((lines += 1))).join("");
      size += Buffer.byteLength(text);
      entries.push({ stream: "stdout", text });
    }
    if (bytes + size > 16 * mebibyte) return lines - entries.length * 3;
    await ask(server, "POST", pathOf(run), { from, entries });
    bytes += size;
    from += entries.length;
  }
};

/** The longest tasks of one page while the log is read, scrolled and searched. */
const measureScroll = async (server: Processes.Server, run: Run, lines: number) => {
  const { close, page } = await Scene.open(server, `/agents/${run.agentId}`);
  const link = page.getByRole("link", { name: /^Running for/ });
  await link.waitFor();
  // By then the page has also loaded the screens that its keys open.
  await page.waitForTimeout(2_000);
  const reading = await Tasks.record(page);
  await link.click();
  await page.getByText(`${Report.count(lines)} lines`, { exact: true }).waitFor();
  const read = await reading();
  await page.waitForTimeout(2_000);
  const scrolling = await Tasks.record(page);
  await Scene.run(page, "bench.scrollLog()");
  const scrolled = await scrolling();
  const finding = await Tasks.record(page);
  await page.getByLabel("Find in the log").fill("suite 42");
  await page.getByText(new RegExp(`of ${Report.count(lines)} lines`)).waitFor();
  await page.waitForTimeout(1_000);
  const found = await finding();
  await close();
  return { read, scrolled, found };
};

/** The times from a line that a run logs until the page shows it. */
const measureLines = async (page: Page, count: number, writer: string) => {
  const times: Array<number> = [];
  for (let probe = -5; probe < count; probe++) {
    const took = await Scene.run<number>(
      page,
      `bench.logged("${writer} ${probe + 6};", ${probe + 6}, "${writer}")`,
    );
    if (probe >= 0) times.push(took);
    // Varies the pause, so that lines are not in step with the frames or intervals of the page.
    await page.waitForTimeout((((probe + 10) * 137) % 700) + 20);
  }
  return times.toSorted((a, b) => a - b);
};

const visible = (name: string, times: ReadonlyArray<number>): Report.Line => {
  const p95 = times[Math.floor(times.length * 0.95)] ?? Number.NaN;
  return {
    cells: [
      `line that a run logs until the page shows it, ${name}, p95 of ${times.length}`,
      `${Report.ms(p95)}, p50 ${Report.ms(Report.median(times))}`,
    ],
    value: p95,
    target: { limit: 1_000, is: "below" },
  };
};

/** Has all runs log together, until `seconds` are over. */
const logAll = (
  server: Processes.Server,
  all: ReadonlyArray<Run>,
  rate: number,
  seconds: number,
) => {
  const load = Processes.load();
  const { key, port } = server;
  const requests = Array.from({ length: rate * seconds }, (_, index) => ({
    method: "POST" as const,
    path: pathOf(all[index % all.length] ?? raise()),
    body: JSON.stringify({
      writer: "load",
      from: Math.floor(index / all.length) + 1,
      entries: [{ stream: "stdout", text: line(index) }],
    }),
  }));
  const job = { port, key, requests, connections: 8, rate, warmUp: 0, duration: 0, once: true };
  return { outcome: load.run(job), end: load.end };
};

const raise = () => {
  throw new Error("there is no run");
};

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Line>> => {
  const rounds = quick ? 1 : 3;
  const probes = quick ? 20 : 60;
  const rate = 100;
  const { end, server } = await Scene.start("dashboard-log", 100);
  const all = await runs(server, 51);
  const [large = raise(), watched = raise()] = all;
  Report.progress("log: filling 16 MiB");
  const lines = await fill(server, large);
  const measured: Array<Awaited<ReturnType<typeof measureScroll>>> = [];
  for (let round = 1; round <= rounds; round++) {
    Report.progress(`log: round ${round} of ${rounds}`);
    measured.push(await measureScroll(server, large, lines));
  }
  const { close, page } = await Scene.open(server, `/runs/${watched.runId}`, (opened) =>
    opened.exposeFunction("benchLog", (text: string, from: number, writer: string) =>
      ask(server, "POST", pathOf(watched), {
        writer,
        from,
        entries: [{ stream: "stdout", text: `${text}\n` }],
      }),
    ),
  );
  await page.getByText("Waiting for output.").waitFor();
  Report.progress("log: lines of one run");
  const alone = await measureLines(page, probes, "alone");
  Report.progress("log: lines of 50 runs");
  const load = logAll(server, all.slice(1), rate, probes * 0.8);
  const together = await measureLines(page, probes, "together");
  const { error, errors, perSecond } = await load.outcome;
  if (errors > 0) throw new Error(`${errors} requests failed: ${error}`);
  await Promise.all([load.end(), close()]);
  await end();
  const name = `log of ${Report.count(lines)} lines`;
  return [
    Tasks.line(`${name}, read`, Tasks.median(measured.map(({ read }) => read))),
    Tasks.line(`${name}, scrolled`, Tasks.median(measured.map(({ scrolled }) => scrolled))),
    Tasks.line(`${name}, searched`, Tasks.median(measured.map(({ found }) => found))),
    visible("alone", alone),
    visible(`while 50 runs log ${perSecond.toFixed(0)} lines a second`, together),
  ];
};
