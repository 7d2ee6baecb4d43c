import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { assertFields } from "../support/Assert.ts";
import * as World from "../support/World.ts";
import { home } from "./Command.ts";

describe("quartermaster login", { timeout: 60_000 }, () => {
  it("[cli.login] login stores URL and key for the other commands, and logout removes them", async () => {
    const [world, { config, execute, folder, run }] = await Promise.all([World.forTest(), home()]);
    const login = await execute(["login", `${world.url}/`], {}, `${world.keys.editor.key}\n`);
    assert.strictEqual(login.code, 0, login.stderr);
    assert.notInclude(login.stdout + login.stderr, world.keys.editor.key);
    const file = join(config, "quartermaster", "login.json");
    assert.strictEqual((await stat(file)).mode & 0o777, 0o600);
    assert.strictEqual((await stat(join(config, "quartermaster"))).mode & 0o777, 0o700);

    const stored = await run(["whoami", "--json"]);
    assert.strictEqual(stored.code, 0, stored.stderr);
    assertFields(JSON.parse(stored.stdout), {
      url: world.url,
      principal: { role: "Editor", projects: null },
      expiresAt: null,
    });
    // Variables and options have precedence over the login.
    const keyFile = join(folder, "key");
    await writeFile(keyFile, `${world.agent.key}\n`);
    const [byVariable, byOption] = await Promise.all([
      run(["whoami", "--json"], { QM_KEY: world.keys.viewer.key }),
      run(["whoami", "--json", "--key-file", keyFile], { QM_KEY: world.keys.viewer.key }),
    ]);
    assert.strictEqual(JSON.parse(byVariable.stdout).principal.role, "Viewer");
    assert.strictEqual(JSON.parse(byOption.stdout).principal.agentId, "bot");

    assert.strictEqual((await run(["logout"])).code, 0);
    assert.strictEqual((await run(["whoami", "--url", world.url])).code, 4);
  });

  it("[cli.key] the stored key is sent only to the server that it was stored for", async () => {
    const [world, other, { run }] = await Promise.all([World.forTest(), World.forTest(), home()]);
    await run(["login", world.url], { QM_KEY: world.keys.editor.key });
    const { code, stderr } = await run(["whoami", "--url", other.url]);
    assert.strictEqual(code, 4);
    assert.include(stderr, `There is no key for ${other.url}`);
  });

  it("[cli.exit] the exit code says what went wrong, and stderr says why", async () => {
    const [world, { config, execute, run }] = await Promise.all([World.forTest(), home()]);
    const [usage, url, wrong, away, login] = await Promise.all([
      execute(["whoami", "--colour"]),
      run(["whoami", "--url", "ftp://x"]),
      execute(["whoami", "--url", world.url], { QM_KEY: "qm_wrong_key" }),
      run(["whoami", "--url", "http://127.0.0.1:9"], { QM_KEY: "k" }),
      run(["login", world.url], {}, "qm_wrong_key"),
    ]);
    const codes = [usage, url, wrong, away, login].map(({ code }) => code);
    assert.deepStrictEqual(codes, [1, 1, 4, 5, 4]);
    assert.include(wrong.stderr, "(unauthenticated)");
    assert.include(away.stderr, "http://127.0.0.1:9 cannot be reached");
    assert.notInclude(wrong.stderr + login.stderr, "qm_wrong_key");
    for (const { stdout } of [url, wrong, away, login]) assert.strictEqual(stdout, "");
    // A login with a key that does not work stores nothing.
    const missing = await readFile(join(config, "quartermaster", "login.json")).catch(() => null);
    assert.isNull(missing);
  });
});
