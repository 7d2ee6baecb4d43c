import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "@effect/vitest";
import { Signal } from "../../http/test/support/Signal.ts";
import { environment, temporaryFolder } from "../../server/test/Quartermaster.ts";
import * as Program from "../../server/test/support/Program.ts";

const bin = fileURLToPath(new URL("../../server/bin/quartermaster.js", import.meta.url));

/**
 * `quartermaster` as a user starts it, with a separate home directory. It is killed when the test
 * ends.
 */
export class Command {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  stdout = "";
  stderr = "";
  readonly #output = new Signal();

  constructor(args: ReadonlyArray<string>, env: Record<string, string>, input = "") {
    this.child = spawn(process.execPath, [bin, ...args], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...environment(), ...env },
    });
    this.exited = once(this.child, "close").then(([code]) => code);
    onTestFinished(async () => {
      this.child.kill("SIGKILL");
      await this.exited;
    });
    this.child.stdin?.on("error", () => {}).end(input);
    this.child.stdout?.on("data", (chunk) => {
      this.stdout += chunk;
    });
    this.child.stderr?.on("data", (chunk) => {
      this.stderr += chunk;
      this.#output.notify();
    });
  }

  /** Waits until stderr contains this text. */
  async reports(text: string) {
    await this.#output.until(() => this.stderr.includes(text));
  }
}

/**
 * Commands that share a home directory. `run` runs a command in this process and waits for its
 * exit, `execute` does the same in a separate process; `start` starts a process and does not wait.
 */
export const home = async () => {
  const folder = await temporaryFolder();
  const config = join(folder, "config");
  await mkdir(config);
  const env = { HOME: folder, XDG_CONFIG_HOME: config, TMPDIR: folder };
  const start = (args: ReadonlyArray<string>, more: Record<string, string> = {}, input?: string) =>
    new Command(args, { ...env, ...more }, input);
  return {
    folder,
    config,
    start,
    run: (args: ReadonlyArray<string>, more: Record<string, string> = {}, input?: string) =>
      Program.run(args, { env: { ...env, ...more }, ...(input === undefined ? {} : { input }) }),
    execute: async (
      args: ReadonlyArray<string>,
      more: Record<string, string> = {},
      input?: string,
    ): Promise<Program.Result> => {
      const command = start(args, more, input);
      const code = await command.exited;
      return { code, stdout: command.stdout, stderr: command.stderr };
    },
  };
};
