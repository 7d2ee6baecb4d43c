import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as Processes from "./Processes.ts";

/** Runners under a supervisor, which restarts each runner when its process exits. */

/** Seconds after which the issue of a dead runner starts again. */
const lease = "6s";
/**
 * Milliseconds from the exit of a runner to its next start; longer if the server was unreachable.
 */
const restartPause = 1_000;
const awayPause = 10_000;
/** The exit code of a command that cannot reach the server. */
const unreachable = 5;

export interface Seat {
  readonly agentId: string;
  readonly key: string;
}

const script = ["sh", join(import.meta.dirname, "command.sh")];

/** Starts a runner for each seat. `command` does the work on an issue. */
export const start = (
  url: string,
  seats: ReadonlyArray<Seat>,
  command: ReadonlyArray<string> = script,
) => {
  const alive = new Map<number, ChildProcess>();
  const killed = new Set<number>();
  const failures: Array<string> = [];
  let starts = 0;
  const over = new AbortController();

  const keepRunning = async ({ key }: Seat, number: number) => {
    while (!over.signal.aborted) {
      const args = ["work", "--lease", lease, "--on-success", "resolved", "--"];
      const env = { QM_URL: url, QM_KEY: key, DEMO_RECORDS: Processes.records };
      const child = Processes.quartermaster(`runner-${number}`, [...args, ...command], env);
      const { pid } = child;
      if (pid === undefined) throw new Error("A runner could not be started.");
      starts += 1;
      alive.set(pid, child);
      await new Promise((resolve) => child.once("exit", resolve));
      alive.delete(pid);
      const isExpected = over.signal.aborted || killed.has(pid) || child.exitCode === unreachable;
      if (!isExpected) failures.push(`runner ${number} exited with ${child.exitCode}`);
      if (!over.signal.aborted) {
        await sleep(child.exitCode === unreachable ? awayPause : restartPause);
      }
    }
  };
  const running = Promise.all(seats.map(keepRunning));

  return {
    /** The process ids of the live runners. */
    alive: (): ReadonlyArray<number> => [...alive.keys()],
    killed: killed as ReadonlySet<number>,
    failures: failures as ReadonlyArray<string>,
    starts: () => starts,
    kill: (pid: number): boolean => {
      const child = alive.get(pid);
      if (child === undefined) return false;
      killed.add(pid);
      return child.kill("SIGKILL");
    },
    stop: async () => {
      over.abort();
      await Promise.all([...alive.values()].map(Processes.stop));
      await running;
    },
  };
};
