import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as World from "../../http/test/support/World.ts";
import { home } from "./Command.ts";

/** When the process exits, it reports on stderr which of these Node.js modules it loaded. */
const reportsModules = (...names: ReadonlyArray<string>) => {
  const loaded = `${JSON.stringify(names)}.filter((name)=>process.moduleLoadList.includes("NativeModule "+name))`;
  const code = `process.on("exit",()=>console.error("loaded "+JSON.stringify(${loaded})))`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
};

describe("the start of a command", { timeout: 60_000 }, () => {
  it("[cli.start] [cli.compiled] whoami loads no fetch and no SQLite, and stores compiled code", async () => {
    const [world, { config, execute }] = await Promise.all([World.forTest(), home()]);
    const { code, stderr, stdout } = await execute(["whoami"], {
      QM_URL: world.url,
      QM_KEY: world.agent.key,
      XDG_CACHE_HOME: config,
      NODE_COMPILE_CACHE: "",
      NODE_OPTIONS: reportsModules("internal/deps/undici/undici", "sqlite", "http"),
    });
    assert.strictEqual(code, 0, stderr);
    assert.include(stdout, "agent bot");
    // The report lists `http`, so the report works.
    assert.strictEqual(stderr, 'loaded ["http"]\n');
    const [version = "none"] = await readdir(join(config, "quartermaster", "compiled"));
    assert.isAbove((await readdir(join(config, "quartermaster", "compiled", version))).length, 4);
  });

  it("[cli.compiled] a cache directory that cannot be written changes nothing", async () => {
    const { execute, folder } = await home();
    const file = join(folder, "file");
    await writeFile(file, "");
    const results = await Promise.all(
      [file, "/proc/quartermaster"].map((directory) =>
        execute(["prime"], { XDG_CACHE_HOME: directory, NODE_COMPILE_CACHE: "" }),
      ),
    );
    for (const result of results) {
      assert.include(result.stdout, "Quartermaster gives you issues");
      assert.deepStrictEqual({ ...result, stdout: "" }, { code: 0, stdout: "", stderr: "" });
    }
  });
});
