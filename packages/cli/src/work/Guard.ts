import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { existsSync } from "node:fs";
import type { Duplex } from "node:stream";

/**
 * A guard is a shell that ends a command's process group when the runner is gone, even after
 * SIGKILL: it waits for the end of a pipe that only the runner holds.
 *
 * started ─ the runner writes the group's id ─► guarding ─ the runner writes a line ──► gone
 *    └───── the pipe ends ──► gone                └─ the pipe ends ─► SIGTERM ─ 3 s ─► SIGKILL ─► gone
 *
 * The command starts behind a gate: another shell, which becomes the command once the runner opens it. The runner does
 * so after the guard has the group's id, so no death of the runner leaves a command without a guard.
 */
export interface Guarded {
  readonly child: ChildProcess;
  /** Ends the guard. Call it when the group has no process left. */
  readonly release: () => void;
}

/** The descriptor of the pipe in both shells. */
const pipe = 3;

const guard = `read -r group && { read -r _ && exit; kill -s TERM -- "-$group"; sleep 3; kill -s KILL -- "-$group"; }`;

const gate = `read -r _ <&${pipe} && exec "$@" ${pipe}<&-`;

const shell = "/bin/sh";

/** Windows has neither the shell nor process groups. */
const isAvailable = existsSync(shell);

/** Starts a command in a separate process group. */
export const start = (
  command: string,
  args: ReadonlyArray<string>,
  options: Pick<SpawnOptions, "cwd" | "env">,
): Guarded => {
  const piped = ["pipe", "pipe", "pipe"] as const;
  if (!isAvailable) {
    const child = spawn(command, args, { ...options, detached: true, stdio: [...piped] });
    return { child, release: () => {} };
  }
  const guarding = spawn(shell, ["-c", guard], {
    env: {},
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const child = spawn(shell, ["-c", gate, "quartermaster-gate", command, ...args], {
    ...options,
    detached: true,
    stdio: [...piped, "pipe"],
  });
  for (const one of [guarding, guarding.stdin]) one.on("error", () => {});
  const opening = child.stdio[pipe] as Duplex;
  opening.on("error", () => {});
  if (child.pid !== undefined) {
    guarding.stdin.write(`${child.pid}\n`);
    opening.end("\n");
  }
  return { child, release: () => void guarding.stdin.end("\n") };
};
