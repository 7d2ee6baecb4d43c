// Processes and folders of a check: bounded in time, and gone when it ends, however it ends.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const children = new Set();

/** A folder that is gone when the check has ended. */
export const scratch = mkdtempSync(join(tmpdir(), "quartermaster-ci-"));

/** Each process leads a group, so that what it starts ends with it. */
const signal = (child, name) => {
  try {
    process.kill(-child.pid, name);
  } catch {
    // It has ended already.
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

/** Stops a process with SIGTERM, and with SIGKILL if that takes too long. */
export const end = async (child) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const late = setTimeout(() => signal(child, "SIGKILL"), 10_000);
  await ended;
  clearTimeout(late);
};

/** Runs a command to its end: how it ended, and what it said. */
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
