import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/**
 * Builds the programs that tests start as processes, once before all tests, if they are stale: the
 * published program, and the programs of the folders `test/programs`. `npm test` has already built
 * them in parallel with the type check. About 100 processes share one cache of compiled code: the
 * server starts in 690 ms of processor time instead of 950 ms, its sources in 1.9 s instead of 3.0
 * s.
 */
export const setup = (): void => {
  process.env["NODE_COMPILE_CACHE"] = join(root, "node_modules", ".cache", "compiled");
  const script = join(root, "scripts", "build.mjs");
  execFileSync(process.execPath, [script, "--program", "--tests", "--quiet"], { stdio: "inherit" });
};
