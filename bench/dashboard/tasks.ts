import type { Page } from "playwright-core";
import * as Report from "../report.ts";

/** The longest task of the page's main thread. */
export interface Longest {
  /** In milliseconds of processor time: other processes on the machine have little effect on it. */
  readonly cpu: number;
  /** In milliseconds. */
  readonly wall: number;
}

/** The fields of a trace event that this program reads. Durations are in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/**
 * Starts tracing the page's tasks. The returned function stops the trace and returns the longest
 * task.
 */
export const record = async (page: Page): Promise<() => Promise<Longest>> => {
  const cdp = await page.context().newCDPSession(page);
  const events: Array<TraceEvent> = [];
  cdp.on("Tracing.dataCollected", ({ value }) =>
    events.push(...(value as unknown as ReadonlyArray<TraceEvent>)),
  );
  await cdp.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel"], excludedCategories: ["*"] },
  });
  return async () => {
    const completed = new Promise<void>((resolve) =>
      cdp.once("Tracing.tracingComplete", () => resolve()),
    );
    await cdp.send("Tracing.end");
    await completed;
    await cdp.detach();
    const threads = new Set(
      events
        .filter(({ args, name }) => name === "thread_name" && args?.name === "CrRendererMain")
        .map(({ pid, tid }) => `${pid} ${tid}`),
    );
    const tasks = events.filter(
      ({ name, ph, pid, tid }) =>
        ph === "X" && name.endsWith("RunTask") && threads.has(`${pid} ${tid}`),
    );
    if (tasks.length === 0) throw new Error("the trace has no tasks");
    const longest = (of: (task: TraceEvent) => number) =>
      tasks.reduce((most, task) => Math.max(most, of(task)), 0) / 1_000;
    return {
      cpu: longest(({ dur = 0, tdur = dur }) => tdur),
      wall: longest(({ dur = 0 }) => dur),
    };
  };
};

/**
 * The median of the rounds: in some rounds, one frame in a thousand takes the browser several times
 * as long to paint.
 */
export const median = (rounds: ReadonlyArray<Longest>): Longest => ({
  cpu: Report.median(rounds.map(({ cpu }) => cpu)),
  wall: Report.median(rounds.map(({ wall }) => wall)),
});

/** The wall-clock time is only informative: it depends on the other processes of the machine. */
export const line = (name: string, { cpu, wall }: Longest): Report.Line => ({
  cells: [`longest task, ${name}`, `${Report.ms(cpu)}, ${Report.ms(wall)} on the clock`],
  value: cpu,
  target: { limit: 50, is: "below" },
});
