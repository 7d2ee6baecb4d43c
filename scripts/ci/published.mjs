// Programs that others publish on the npm registry, at a version that is named here.
import { run } from "./processes.mjs";

/** The reason why a check cannot run here. */
export class Skipped extends Error {}

/** Runs a check. One that is skipped says why in its last line, and ends with 77. */
export const check = async (body) => {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    console.log(error.message);
    process.exitCode = 77;
  }
};

/** Whether npm says that the registry was reached, and has no such package, or another one. */
export const isMissing = (stderr) => /npm error code (E404|ETARGET|EINTEGRITY)/.test(stderr);

/**
 * Where npx puts a package's program. It stays in npm's cache for the next time. No script that a
 * package has for its installation is run.
 */
export const program = async (spec, name) => {
  const { code, stderr, stdout } = await run(
    "npx",
    ["--yes", "--package", spec, "--call", `command -v ${name}`],
    {
      env: { ...process.env, npm_config_fetch_retries: "1", npm_config_ignore_scripts: "true" },
      timeLimit: 240_000,
    },
  );
  if (code === 0) return stdout.trim();
  if (isMissing(stderr)) throw new Error(`npx ended with ${code} for ${spec}: ${stderr}`);
  const why = /npm error (code .*)/.exec(stderr)?.[1] ?? `npx ended with ${code}`;
  throw new Skipped(`${spec} could not be had here: ${why}.`);
};
