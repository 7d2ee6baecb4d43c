import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Builds what is stale, once before all tests: those of the program start what users start. */
export const setup = (): void => {
  const script = join(import.meta.dirname, "..", "scripts", "build.mjs");
  execFileSync(process.execPath, [script, "--quiet"], { stdio: "inherit" });
};
