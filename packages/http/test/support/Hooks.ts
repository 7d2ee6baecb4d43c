import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { assert, onTestFinished } from "@effect/vitest";
import { environment, temporaryFolder } from "../../../server/test/Quartermaster.ts";

/** The hooks of the hosts as processes, with a cache of their own. */

/** Waits until no such process exists, not even as a zombie. */
export const gone = async (pid: number): Promise<void> => {
  const signal = AbortSignal.timeout(20_000);
  const exists = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  while (exists()) await setTimeout(20, null, { signal });
};

/**
 * A cache, and a function that runs a hook and returns its output. Hooks start processes that poll and write into the
 * cache: at the end of the test each is stopped before the cache is removed.
 */
export const open = async (more: Record<string, string>) => {
  const home = await temporaryFolder();
  const cache = join(home, "quartermaster/hooks");
  const env = { ...environment(), XDG_CACHE_HOME: home, ...more };
  const polls = new Set<number>();
  /** Returns the files of the polls that have not ended. */
  const findPolls = () => {
    let names: ReadonlyArray<string> = [];
    try {
      names = readdirSync(cache).filter((name) => name.endsWith(".poll"));
    } catch {
      // No hook has stored anything.
    }
    const files = names.map((name) => join(cache, name));
    for (const file of files) {
      try {
        polls.add(Number(readFileSync(file, "utf8")));
      } catch {
        // Its poll has just ended.
      }
    }
    return files;
  };
  onTestFinished(async () => {
    // A poll whose file is removed ends after its current request.
    for (const file of findPolls()) rmSync(file, { force: true });
    for (const pid of polls) await gone(pid);
  });
  const run = async (
    args: readonly [command: string, ...args: ReadonlyArray<string>],
    input: unknown,
    changed: Record<string, string> = {},
  ): Promise<string> => {
    const [command, ...rest] = args;
    const child = spawn(command, rest, { env: { ...env, ...changed }, stdio: "pipe" });
    onTestFinished(() => void child.kill("SIGKILL"));
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => (output += chunk));
    }
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(input));
    const [code] = await once(child, "close");
    findPolls();
    // Claude Code shows all other output to the user.
    assert.strictEqual(code, 0);
    return output;
  };
  return { cache, env, run };
};
