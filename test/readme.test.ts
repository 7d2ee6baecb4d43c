import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { Catalog } from "@quartermaster/core";
import { Effect } from "effect";
import { isAsShown, stepsOf } from "../scripts/docs/blocks.ts";
import { read } from "./pages.ts";
import { bin, bundle, project, root, run, runNode, serve, temporaryFolder } from "./programs.ts";
import { blocksIn, programs } from "./readme.programs.ts";

describe("the README", () => {
  it(
    "the commands that it shows complete an agent's first issue",
    { timeout: 120_000 },
    async () => {
      const [, section = ""] = read("README.md").split("## The first issue of an agent\n");
      const [command, ...others] = stepsOf(section.split("\n## ")[0] ?? "");
      assert.deepStrictEqual([command?.kind, others.length], ["skip", 0]);
      const cwd = await temporaryFolder();
      const url = await serve(cwd);
      const script = (command?.text ?? "")
        .replaceAll("http://127.0.0.1:7420", url)
        .replaceAll("npx quartermaster", `"${process.execPath}" "${bin}"`);
      const { code, stderr, stdout } = await run("sh", ["-ec", script], {
        cwd,
        env: { XDG_CONFIG_HOME: cwd },
      });
      assert.strictEqual(code, 0, stderr);
      const [, shown = ""] = /```text\n(.*?)```/s.exec(section) ?? [];
      assert.isTrue(isAsShown(`…\n${shown}`, stdout), stdout);
    },
  );

  it("programs type-check and run", { timeout: 120_000 }, async () => {
    const cwd = await project(programs);
    const [first, ...others] = programs.map(({ file }) => [file, join(cwd, file)] as const);
    // Node.js runs only one program unbundled: the result is the same for all.
    const native = new Map([first ?? assert.fail()]);
    const bundled = await bundle(Object.fromEntries(others));
    // The programs run in turn in one directory: each uses the data and the key of the previous
    // one.
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
  it("has entries that a server accepts, with every documented default", async () => {
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
        state: false,
        sandbox: null,
      },
    });
  });
});
