// The processes and the folder of a check. Every process has a time limit. The exit of the check
// stops all processes and removes the folder, even after a failure.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const children = new Set();

/** A folder that the exit of the check removes. */
export const scratch = mkdtempSync(join(tmpdir(), "quartermaster-ci-"));

/** Signals the process's group: each process leads one, so the signal also reaches its children. */
const signal = (child, name) => {
  try {
    process.kill(-child.pid, name);
  } catch {
    // The process has already exited.
  }
};

process.once("exit", () => {
  for (const child of children) signal(child, "SIGKILL");
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => process.exit(1));

export const start = (command, args, options = {}) => {
  const child = spawn(command, args, { cwd: scratch, ...options, detached: true });
  if (child.pid !== undefined) children.add(child);
  child.once("exit", () => {
    signal(child, "SIGKILL");
    children.delete(child);
  });
  return child;
};

/** Stops a process with SIGTERM, then with SIGKILL if it does not exit in time. */
export const end = async (child) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const late = setTimeout(() => signal(child, "SIGKILL"), 10_000);
  await ended;
  clearTimeout(late);
};

/** Runs a command until it exits. Returns its exit code and output. */
export const run = async (command, args, { input = "", timeLimit = 60_000, ...options } = {}) => {
  const child = start(command, args, { ...options, stdio: "pipe" });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) {
    child[name].setEncoding("utf8").on("data", (chunk) => {
      said[name] += chunk;
    });
  }
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const late = setTimeout(() => signal(child, "SIGKILL"), timeLimit);
  try {
    const [code, killed] = await once(child, "close");
    return { ...said, code: code ?? killed };
  } finally {
    clearTimeout(late);
  }
};
