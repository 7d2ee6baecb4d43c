import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** Programs that tests run as processes on the sources. */

export const root = fileURLToPath(new URL("..", import.meta.url));

/** A folder that is removed after the test. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "quartermaster-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

interface Settings {
  readonly cwd: string;
  readonly env?: Record<string, string>;
}

const start = (command: string, args: ReadonlyArray<string>, { cwd, env }: Settings) => {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  return child;
};

const outputOf = (child: ChildProcess) => {
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk) => (output.stdout += chunk));
  child.stderr?.on("data", (chunk) => (output.stderr += chunk));
  return output;
};

/** Runs a command until it exits. */
export const run = async (command: string, args: ReadonlyArray<string>, settings: Settings) => {
  const child = start(command, args, settings);
  const output = outputOf(child);
  const [code] = await once(child, "close");
  return { ...output, code: code as number | null };
};

/** Runs a TypeScript program until it exits. */
export const runNode = (file: string, settings: Settings) =>
  run(process.execPath, ["--conditions=quartermaster-source", file], settings);

/** Starts the server on a free port, with its data in `.quartermaster` of the folder. Returns its URL. */
export const serve = async (cwd: string): Promise<string> => {
  const bin = join(root, "packages", "http", "bin", "quartermaster.js");
  const child = start(process.execPath, [bin, "serve"], {
    cwd,
    env: { QM_PORT: "0", QM_LOG: "json" },
  });
  const output = outputOf(child);
  const listens = Promise.withResolvers<string>();
  createInterface(child.stdout).on("line", (line) => {
    const [url] = line.match(/http:\/\/127\.0\.0\.1:\d+/) ?? [];
    if (url !== undefined) listens.resolve(url);
  });
  child.once("close", () =>
    listens.reject(new Error(`The server ended: ${output.stderr}${output.stdout}`)),
  );
  return listens.promise;
};
