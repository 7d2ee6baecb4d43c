import { readdirSync, readFileSync } from "node:fs";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import { childrenOf } from "./beside.ts";
import type { Scene } from "./scene.ts";

/** The measurements of the server's process during a soak, and whether one of them grows. */

export interface Sample {
  readonly resident: number;
  readonly handles: number;
  readonly threads: number;
  readonly processes: number;
  readonly files: number;
  readonly p99: number;
}

export const take = async ({ dataDir, server }: Scene, p99: number): Promise<Sample> => ({
  resident: (await Processes.memory(server.pid)).resident,
  handles: readdirSync(`/proc/${server.pid}/fd`).length,
  threads: Number(
    /^Threads:\s+(\d+)$/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1],
  ),
  processes: childrenOf(server.pid).length,
  files: readdirSync(dataDir, { recursive: true }).length,
  p99,
});

/** The most that the end may have more than the middle. */
const limits: Readonly<
  Record<keyof Sample, { readonly times: number; readonly more: number } | null>
> = {
  resident: { times: 1.1, more: 0 },
  handles: { times: 1.1, more: 4 },
  threads: { times: 1, more: 2 },
  processes: { times: 1, more: 2 },
  files: { times: 1, more: 5 },
  // Tables and their indexes grow: the time of requests is judged by `growth`.
  p99: null,
};

/**
 * The medians of the second fifth, the middle and the last fifth of the samples. Until the first fifth ends the server
 * fills its caches.
 */
export const table = (title: string, samples: ReadonlyArray<Sample>): Report.Table => {
  const fifth = Math.floor(samples.length / 5);
  const part = (name: keyof Sample, number: number) =>
    Report.median(
      samples.slice(number * fifth, (number + 1) * fifth).map((sample) => sample[name]),
    );
  const lines = (Object.keys(limits) as ReadonlyArray<keyof Sample>).map((name): Report.Line => {
    const [start, middle, end] = [part(name, 1), part(name, 2), part(name, 4)];
    const limit = limits[name];
    const cells = [units[name], ...[start, middle, end].map((value) => value.toFixed(1))];
    return limit === null
      ? { cells }
      : {
          cells,
          value: end,
          target: {
            is: "atMost",
            limit: Math.ceil(Math.max(middle, start) * limit.times + limit.more),
          },
        };
  });
  return { title, columns: ["", "second fifth", "middle", "end"], lines };
};

const units: Readonly<Record<keyof Sample, string>> = {
  resident: "MiB resident",
  handles: "open file descriptors",
  threads: "threads",
  processes: "processes of MCP servers",
  files: "files in the data directory",
  p99: "p99 of requests in ms",
};
