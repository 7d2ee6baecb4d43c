import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Builds the program once before all tests, if it is stale: its tests start what users start. */
export const setup = (): void => {
  const script = join(import.meta.dirname, "..", "scripts", "build.mjs");
  execFileSync(process.execPath, [script, "--program", "--quiet"], { stdio: "inherit" });
};
