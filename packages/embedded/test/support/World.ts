import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "@effect/vitest";
import { Quartermaster } from "@quartermaster/embedded";

/** A folder that is removed when the test ends. */
export const folder = async (
  onEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), "quartermaster-"));
  onEnd(() => rm(path, { recursive: true, force: true }));
  return path;
};

/** Opens Quartermaster in a folder. If the test does not close it, it closes when the test ends. */
export const open = async (
  options: Parameters<typeof Quartermaster.open>[0],
): Promise<Quartermaster> => {
  const quartermaster = await Quartermaster.open(options);
  onTestFinished(() => quartermaster.close());
  return quartermaster;
};

/** The reason with which a promise rejects. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => {
      throw new Error(`It was not rejected: ${String(value)}`);
    },
    (error: unknown) => error,
  );

/**
 * Writes a catalog file with an MCP server that writes its process id to `log` and has a variable
 * TOKEN.
 */
export const catalogWith = async (dir: string, log: string): Promise<string> => {
  const script = join(import.meta.dirname, "../../../mcp/test/support/fixture.mjs");
  const entry = {
    id: "fixture",
    name: "Fixture",
    description: "Repeats what it is sent.",
    category: "dev",
    transport: "stdio",
    runtime: "none",
    installInstructions: "Set TOKEN.",
    manifest: {
      command: process.execPath,
      args: [script],
      env: { FIXTURE_LOG: log },
    },
    envVars: [{ name: "TOKEN", description: "A secret", required: true, secret: true }],
  };
  const file = join(dir, "catalog.json");
  await writeFile(file, JSON.stringify([entry]));
  return file;
};

/** The process ids that the fixture wrote. */
export const processesIn = (log: string): ReadonlyArray<number> =>
  [...readFileSync(log, "utf8").matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid));

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
