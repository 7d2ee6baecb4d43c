import { once } from "node:events";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { assert, describe, it, onTestFinished } from "@effect/vitest";
import { assertFields } from "../../http/test/support/Assert.ts";
import * as World from "../../http/test/support/World.ts";
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
    // Variables and options take precedence over the login.
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

  it("[cli.exit] the exit code names the kind of failure, and stderr the reason", async () => {
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
    // A login with an invalid key stores nothing.
    const missing = await readFile(join(config, "quartermaster", "login.json")).catch(() => null);
    assert.isNull(missing);
  });

  it("[cli.key] with URL and key, a command needs neither a login nor a home directory", async () => {
    const [world, { config, run }] = await Promise.all([World.forTest(), home()]);
    await mkdir(join(config, "quartermaster"));
    await writeFile(join(config, "quartermaster", "login.json"), "{");
    const env = { QM_URL: world.url, QM_KEY: world.keys.viewer.key };
    const nowhere = { HOME: "", XDG_CONFIG_HOME: "" };
    const [damaged, needed, homeless, nobody] = await Promise.all([
      run(["whoami"], env),
      run(["whoami"]),
      run(["whoami"], { ...env, ...nowhere }),
      run(["whoami"], nowhere),
    ]);
    assert.deepStrictEqual(
      [damaged, needed, homeless, nobody].map(({ code }) => code),
      [0, 1, 0, 4],
    );
    assert.include(needed.stderr, "is damaged");
  });

  it("[cli.exit] a value given in place of a key file or a URL is not repeated", async () => {
    const { run } = await home();
    const results = await Promise.all([
      run(["whoami", "--key-file", "qm_secret"]),
      run(["mcp", "--key-file", "qm_secret"]),
      run(["whoami", "--url", "https://me:qm_secret@127.0.0.1:9"], { QM_KEY: "k" }),
    ]);
    for (const { code, stderr } of results) {
      assert.strictEqual(code, 1);
      assert.notInclude(stderr, "qm_secret");
    }
  });

  it("[cli.exit] another program at the URL is named as such", async () => {
    const { run } = await home();
    const server = createServer((request, response) => {
      response.writeHead(request.url?.startsWith("/bad") === true ? 502 : 200);
      response.end("<html>");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    for (const path of ["", "/bad"]) {
      const url = `http://127.0.0.1:${port}${path}`;
      const { code, stderr } = await run(["whoami", "--url", url], { QM_KEY: "k" });
      assert.strictEqual(code, 5);
      assert.include(stderr, "is not a Quartermaster server");
    }
  });
});
