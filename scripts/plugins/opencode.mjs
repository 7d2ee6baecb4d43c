// opencode: it reads the configuration and connects.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run, scratch } from "../ci/processes.mjs";
import { program, Skipped } from "../ci/published.mjs";
import { env, plugins } from "./scene.mjs";

export const spec = "opencode-ai@1.18.33";

/**
 * The program for this platform. The package has a placeholder until its installation script has
 * run.
 */
const binary = async () => {
  const stub = realpathSync(await program(spec, "opencode"));
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = platform === "windows" ? "opencode.exe" : "opencode";
  const path = join(dirname(stub), "../..", `opencode-${platform}-${process.arch}/bin`, name);
  if (!existsSync(path)) throw new Skipped(`${spec} has no program for this platform.`);
  return path;
};

export const check = async ({ key, url }) => {
  const command = await binary();
  const project = join(scratch, "opencode");
  mkdirSync(project);
  const config = readFileSync(join(plugins, "opencode/opencode.json"), "utf8");
  writeFileSync(join(project, "opencode.json"), config.replace("http://127.0.0.1:7420", url));
  const { code, stderr, stdout } = await run(command, ["mcp", "list"], {
    cwd: project,
    env: {
      ...env,
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      QM_KEY: key,
    },
  });
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout + stderr, /✓ quartermaster .*connected/);
  console.log("ok: opencode connects with the configuration");
};
