// Third-party programs from the npm registry, each at a fixed version.
import { run } from "./processes.mjs";

/** The reason why a check cannot run here. */
export class Skipped extends Error {}

/** Runs a check. A skipped check prints the reason in its last line, and exits with 77. */
export const check = async (body) => {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    console.log(error.message);
    process.exitCode = 77;
  }
};

/** True if npm reached the registry, and the registry lacks the package or has a different one. */
export const isMissing = (stderr) => /npm error code (E404|ETARGET|EINTEGRITY)/.test(stderr);

/**
 * The path of a package's program, which npx installs. It stays in npm's cache for later runs. npm
 * runs none of the package's installation scripts.
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
