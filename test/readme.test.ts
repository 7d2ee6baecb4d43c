import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { Catalog } from "@quartermaster/core";
import { Effect } from "effect";
import { bundle, project, root, run, runNode, serve, temporaryFolder } from "./programs.ts";
import { blocksIn, blocksOf, programs } from "./readme.programs.ts";

/** What the session takes that this machine has not. */
const missing = (() => {
  if (spawnSync("bash", ["--version"]).status !== 0) return "bash";
  const curl = spawnSync("curl", ["--help", "all"], { encoding: "utf8" });
  return curl.stdout?.includes("--json") ? undefined : "curl 7.82 or newer";
})();

const boundary = "--- next block ---";

describe("the README", () => {
  it("sessions print what they say", { timeout: 120_000 }, async (test) => {
    test.skip(missing !== undefined, `this machine has no ${missing}`);
    const blocks = ["A first session", "MCP servers", "Agents over MCP"].flatMap(blocksOf);
    const commands = blocks.filter(({ language }) => language === "sh");
    // What a block is said to print is the text block after it; without one it prints nothing.
    const expected = commands.map((command) => {
      const next = blocks[blocks.indexOf(command) + 1];
      return next?.language === "text" ? next.text : "";
    });
    assert.isAbove(commands.length, 5);

    const cwd = await temporaryFolder();
    const url = await serve(cwd);
    const script = commands
      .map(({ text }) => text.replaceAll("http://127.0.0.1:7420", url))
      .join(`echo "${boundary}"\n`);
    const { stderr, stdout } = await run("bash", ["-c", script], { cwd });
    assert.deepStrictEqual(stdout.split(`${boundary}\n`), expected, stderr);
  });

  it("programs are well typed, and run", { timeout: 120_000 }, async () => {
    const cwd = await project(programs);
    const [first, ...others] = programs.map(({ file }) => [file, join(cwd, file)] as const);
    // Node.js runs one of them unbundled: that it can is the same for all.
    const native = new Map([first ?? assert.fail()]);
    const bundled = await bundle(Object.fromEntries(others));
    // In turn, and in one directory: each goes on with the data and the key of the one before.
    let env: Record<string, string> = {};
    for (const { file, isRemote, output } of programs) {
      if (isRemote && env["QM_URL"] === undefined) {
        const QM_URL = await serve(cwd);
        env = { QM_URL, QM_KEY: readFileSync(join(cwd, ".quartermaster", "owner-key"), "utf8") };
      }
      const { code, stderr, stdout } = await runNode(native.get(file) ?? bundled(file), {
        cwd,
        env,
      });
      assert.strictEqual(code, 0, stderr);
      assert.strictEqual(stdout, output);
    }
  });
});

describe("docs/reference/catalog.md", () => {
  it("has entries that a server takes, with every default as it is said", async () => {
    const page = readFileSync(join(root, "docs", "reference", "catalog.md"), "utf8");
    const [file] = blocksIn(page);
    assert.strictEqual(file?.language, "json");
    const layer = Catalog.Catalog.layerWith([{ path: "catalog.md", text: file?.text ?? "" }]);
    const { all } = await Catalog.Catalog.pipe(Effect.provide(layer), Effect.runPromise);
    const [full, short] = all.slice(-2);
    assert.deepStrictEqual({ ...JSON.parse(file?.text ?? "")[0], source: "file" }, full);
    assert.deepInclude(short, { id: "tickets", verified: false, homepage: null });
    assert.strictEqual(short?.envVars[0]?.default, null);
    const without = JSON.parse(file?.text ?? "")[0];
    without.manifest = { command: "mine" };
    delete without.envVars;
    const text = JSON.stringify([without]);
    const bare = Catalog.Catalog.layerWith([{ path: "bare", text }]);
    const least = await Catalog.Catalog.pipe(Effect.provide(bare), Effect.runPromise);
    assert.deepInclude(least.all.at(-1), {
      envVars: [],
      manifest: {
        package: null,
        version: null,
        integrity: null,
        lockedAt: null,
        command: "mine",
        args: [],
        env: {},
        isolation: "shared",
        sandbox: null,
      },
    });
  });
});
