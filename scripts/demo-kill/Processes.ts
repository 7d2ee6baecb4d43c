import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Records from "./Records.ts";

/**
 * The processes and the folder of the demo. Each process ends with the demo, by its id. The folder
 * has the logs and stays if the demo failed.
 */

export const folder = mkdtempSync(join(tmpdir(), "quartermaster-kill-"));
export const records = join(folder, "records");

const bin = join(import.meta.dirname, "../../packages/server/bin/quartermaster.js");
const children = new Set<ChildProcess>();

/** Sends a signal to a process, or with a negative id to its group. False if the process has exited. */
const signal = (pid: number, name: "SIGKILL" | "SIGTERM"): boolean => {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
};

/**
 * True if the process of a command still runs. The system may have reused its id: on Linux the
 * environment of the process names the run.
 */
export const isRunning = ({ pid, runId }: Records.Command): boolean => {
  try {
    if (!existsSync("/proc/self/environ")) return process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`QM_RUN_ID=${runId}\0`);
  } catch {
    return false;
  }
};

/** Kills a command with all its processes. The runner started it as the leader of a group. */
export const killCommand = (command: Records.Command): boolean =>
  isRunning(command) && signal(-command.pid, "SIGKILL");

process.once("exit", (code) => {
  for (const child of children) child.kill("SIGKILL");
  for (const command of Records.read(records)) killCommand(command);
  if (code === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  else console.log(`The logs are in ${folder}.`);
});
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => process.exit(1));

/** Starts the program `quartermaster`. Its output is appended to a log in the folder. */
export const quartermaster = (
  name: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
): ChildProcess => {
  const log = openSync(join(folder, `${name}.log`), "a");
  const child = spawn(process.execPath, [bin, ...args], {
    stdio: ["ignore", log, log],
    env: { PATH: process.env["PATH"], HOME: folder, TMPDIR: folder, ...env },
  });
  closeSync(log);
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
};

/** Sends SIGTERM to a process and waits until it exits. */
export const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
};
