import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { Effect } from "effect";
import * as Fixture from "./support/Fixture.ts";
import * as Registry from "./support/Registry.ts";
import { manifest, program } from "./support/TestPackages.ts";
import * as World from "./support/World.ts";

const path = process.env["PATH"] ?? "";
const hasNpm = path.split(delimiter).some((folder) => existsSync(join(folder, "npm")));

const tool: Registry.Published = {
  name: "@fix/tool",
  version: "1.2.3",
  manifest: {
    bin: { tool: "bin.mjs", plain: "plain", native: "native.sh", escape: "../../x.js" },
    dependencies: { "fix-dependency": "^1.0.0" },
    scripts: { preinstall: "touch preinstall-ran", postinstall: "touch postinstall-ran" },
  },
  files: {
    "bin.mjs": "console.log('tool ran')",
    plain: "#!/usr/bin/env node\nconsole.log('plain ran')",
    "native.sh": "#!/bin/sh\necho native ran",
  },
};
const single: Registry.Published = {
  name: "@fix/single",
  version: "1.0.0",
  manifest: { bin: { "another-name": "bin.mjs" } },
  files: { "bin.mjs": "console.log('single ran')" },
};
const dependency: Registry.Published = { name: "fix-dependency", version: "1.0.7", files: {} };

const setUp = Effect.gen(function* () {
  const dataDir = yield* World.folder;
  const registry = yield* Registry.serve([tool, single, dependency]);
  // A home without settings; the registry is the host's choice.
  const environment = { PATH: path, HOME: dataDir, npm_config_registry: registry.url };
  const names = () => readdirSync(join(dataDir, "packages")).filter((name) => name !== ".cache");
  return { dataDir, registry, environment, names };
});

const run = ({
  command,
  args,
}: {
  readonly command: string;
  readonly args: ReadonlyArray<string>;
}) => execFileSync(command, [...args], { encoding: "utf8" }).trim();

describe.runIf(hasNpm)("packages of npm", () => {
  it.live(
    "[packages.npm] a package is installed once, in its exact version, with its lock file and without its scripts",
    () =>
      Effect.gen(function* () {
        const { dataDir, registry, environment, names } = yield* setUp;
        const packages = yield* World.packages(dataDir, environment);
        const wanted = manifest({ integrity: registry.integrityOf("@fix/tool") });
        const found = yield* Effect.all(
          Array.from({ length: 5 }, () => packages.prepare("node", wanted)),
          { concurrency: "unbounded" },
        );
        for (const one of found) assert.deepStrictEqual(one, found[0]);
        assert.strictEqual(found[0]!.command, process.execPath);
        assert.strictEqual(run(found[0]!), "tool ran");
        assert.lengthOf(names(), 1);
        const folder = join(dataDir, "packages", names()[0]!);
        assert.match(names()[0]!, /^@fix\+tool@1\.2\.3\.[0-9a-f]{12}\.node$/);
        const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
        assert.strictEqual(lock.packages["node_modules/fix-dependency"].version, "1.0.7");
        const own = readdirSync(join(folder, "node_modules", "@fix", "tool"));
        assert.deepStrictEqual(
          own.filter((name) => name.endsWith("-ran")),
          [],
        );
        const tarballs = () => registry.asked.filter((one) => one.endsWith(".tgz")).length;
        assert.strictEqual(tarballs(), 2);
        // Another service, and another program of the same package, reuse the installation.
        const later = yield* World.packages(dataDir, environment);
        const plain = yield* later.prepare("node", { ...wanted, command: "plain" });
        assert.strictEqual(run(plain), "plain ran");
        const native = yield* later.prepare("node", { ...wanted, command: "native" });
        assert.deepStrictEqual([native.args, run(native)], [[], "native ran"]);
        assert.strictEqual(tarballs(), 2);
      }).pipe(Effect.scoped),
  );

  it.live("[packages.npm.together] several services may prepare a package at the same time", () =>
    Effect.gen(function* () {
      const { dataDir, environment, names } = yield* setUp;
      const services = yield* Effect.all([
        World.packages(dataDir, environment),
        World.packages(dataDir, environment),
      ]);
      const found = yield* Effect.all(
        services.map((packages) => packages.prepare("node", manifest())),
        { concurrency: "unbounded" },
      );
      assert.deepStrictEqual(found[0], found[1]);
      assert.strictEqual(run(found[0]!), "tool ran");
      assert.lengthOf(names(), 1);
    }).pipe(Effect.scoped),
  );

  it.live(
    "[packages.integrity] a package whose integrity differs from the catalog's is refused",
    () =>
      Effect.gen(function* () {
        const { dataDir, registry, environment, names } = yield* setUp;
        const packages = yield* World.packages(dataDir, environment);
        const integrity = `sha512-${"A".repeat(86)}==`;
        const error = yield* Effect.flip(packages.prepare("node", manifest({ integrity })));
        assert.strictEqual(error.reason, "prepareFailed");
        assert.strictEqual(
          error.message,
          `The integrity of @fix/tool@1.2.3 is ${registry.integrityOf("@fix/tool")}, ` +
            `but the catalog says ${integrity}.`,
        );
        assert.deepStrictEqual(names(), []);
      }).pipe(Effect.scoped),
  );

  it.live("[packages.npm.missing] a package that does not exist fails with npm's own message", () =>
    Effect.gen(function* () {
      const { dataDir, environment, names } = yield* setUp;
      const packages = yield* World.packages(dataDir, environment);
      const error = yield* Effect.flip(packages.prepare("node", manifest({ version: "9.9.9" })));
      assert.strictEqual(error.reason, "prepareFailed");
      assert.match(error.message, /^npm could not install @fix\/tool@9\.9\.9 \(exit code 1\)/);
      assert.match(error.message, /ETARGET/);
      assert.deepStrictEqual(names(), []);
    }).pipe(Effect.scoped),
  );

  it.live(
    "[packages.npm.program] a package is refused if its program is missing or outside the package",
    () =>
      Effect.gen(function* () {
        const { dataDir, environment } = yield* setUp;
        const packages = yield* World.packages(dataDir, environment);
        const none = yield* Effect.flip(packages.prepare("node", manifest({ command: "other" })));
        assert.strictEqual(
          none.message,
          "@fix/tool@1.2.3 has no program other; it has tool, plain, native, escape.",
        );
        const beyond = yield* Effect.flip(
          packages.prepare("node", manifest({ command: "escape" })),
        );
        assert.strictEqual(beyond.reason, "prepareFailed");
      }).pipe(Effect.scoped),
  );

  it.live(
    "[packages.npm.single] the only program of a package is found by the name of the package",
    () =>
      Effect.gen(function* () {
        const { dataDir, environment } = yield* setUp;
        const packages = yield* World.packages(dataDir, environment);
        const prepare = (command: string) =>
          packages.prepare("node", manifest({ package: "@fix/single", version: "1.0.0", command }));
        assert.strictEqual(run(yield* prepare("single")), "single ran");
        assert.strictEqual(run(yield* prepare("another-name")), "single ran");
        const { message } = yield* Effect.flip(prepare("other"));
        assert.match(message, /no program other; it has another-name/);
      }).pipe(Effect.scoped),
  );

  it.live(
    "[packages.npm.time] an installation that takes too long is stopped and leaves nothing",
    () =>
      Effect.gen(function* () {
        const { dataDir, registry, environment, names } = yield* setUp;
        registry.hang();
        const packages = yield* World.packages(dataDir, environment, { prepareSeconds: 3 });
        const error = yield* Effect.flip(packages.prepare("node", manifest()));
        assert.strictEqual(error.message, "Preparing @fix/tool@1.2.3 timed out after 3 s.");
        assert.deepStrictEqual(names(), []);
        assert.deepStrictEqual(readdirSync(join(dataDir, "processes")), []);
      }).pipe(Effect.scoped),
  );

  it.live("[packages.npm.before] dependencies are resolved as of the date of the entry", () =>
    Effect.gen(function* () {
      const dataDir = yield* World.folder;
      const later = { ...dependency, version: "1.0.8", published: "2024-06-01T00:00:00.000Z" };
      const registry = yield* Registry.serve([tool, later, dependency]);
      const environment = { PATH: path, HOME: dataDir, npm_config_registry: registry.url };
      const packages = yield* World.packages(dataDir, environment);
      const versionAt = Effect.fnUntraced(function* (lockedAt: string | null) {
        const { files } = yield* packages.prepare("node", manifest({ lockedAt }));
        const lock = readFileSync(join(files[0] ?? "", "package-lock.json"), "utf8");
        return JSON.parse(lock).packages["node_modules/fix-dependency"].version;
      });
      assert.strictEqual(yield* versionAt("2024-05-31"), "1.0.7");
      assert.strictEqual(yield* versionAt("2024-07-01"), "1.0.8");
      assert.strictEqual(yield* versionAt("2024-05-31T23:59:59.000Z"), "1.0.7");
      assert.strictEqual(yield* versionAt("2024-06-01T00:00:00.001Z"), "1.0.8");
      assert.strictEqual(yield* versionAt(null), "1.0.8");
    }).pipe(Effect.scoped),
  );

  it.live(
    "[packages.npm.foreign] a dependency by repository, address or file is refused, and git is not started",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const bin = join(dataDir, "bin");
        const git = `require("node:fs").writeFileSync(${JSON.stringify(join(dataDir, "git-ran"))}, "")`;
        program(bin, "git", git);
        const elsewhere = yield* Registry.serve([dependency]);
        for (const specifier of [
          "git+https://127.0.0.1:9/evil.git",
          "evil/repository",
          `${elsewhere.url}/fix-dependency/-/1.0.7.tgz`,
          "file:/etc",
        ]) {
          const foreign = {
            ...tool,
            manifest: { ...tool.manifest, dependencies: { foreign: specifier } },
          };
          const registry = yield* Registry.serve([foreign]);
          const packages = yield* World.packages(join(dataDir, "data"), {
            PATH: `${bin}${delimiter}${path}`,
            HOME: dataDir,
            npm_config_registry: registry.url,
          });
          const error = yield* Effect.flip(packages.prepare("node", manifest()));
          assert.strictEqual(error.reason, "prepareFailed", specifier);
        }
        assert.isFalse(existsSync(join(dataDir, "git-ran")));
        assert.deepStrictEqual(elsewhere.asked, []);
      }).pipe(Effect.scoped),
    60_000,
  );

  it.live("[packages.retain] a package stays until no server needs it", () =>
    Effect.gen(function* () {
      const { dataDir, environment, names } = yield* setUp;
      const packages = yield* World.packages(dataDir, environment);
      yield* packages.prepare("node", manifest());
      yield* packages.retain([manifest({ command: "plain" })]);
      assert.lengthOf(names(), 1);
      yield* packages.retain([manifest({ version: "1.2.4" }), manifest({ package: null })]);
      assert.deepStrictEqual(names(), []);
    }).pipe(Effect.scoped),
  );
});

/** An npm that reports its arguments. */
const scripted = `
const { mkdirSync, writeFileSync } = require("node:fs");
const folder = process.argv[process.argv.indexOf("--prefix") + 1];
mkdirSync(folder + "/node_modules/@fix/tool", { recursive: true });
writeFileSync(folder + "/node_modules/@fix/tool/package.json", JSON.stringify({ bin: "tool.js" }));
writeFileSync(folder + "/package-lock.json", JSON.stringify({ packages: {} }));
writeFileSync(process.env.HOME + "/../../../told", JSON.stringify({ args: process.argv.slice(2), env: process.env }));
`;

describe("a scripted npm", () => {
  it.live(
    "[packages.npm.environment] npm gets only its own settings from the service's environment",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const npm = program(join(dataDir, "bin"), "npm", scripted);
        const packages = yield* World.packages(dataDir, {
          PATH: dirname(npm),
          HOME: "/nowhere",
          QM_SECRET_KEY: "canary",
          NPM_TOKEN: "canary",
          NPM_CONFIG_REGISTRY: "https://registry.example/",
          npm_config_userconfig: "/etc/npm-of-the-host",
        });
        yield* packages.prepare("node", manifest());
        const { args, env } = JSON.parse(readFileSync(join(dataDir, "told"), "utf8"));
        assert.deepStrictEqual(args.slice(0, 2), ["install", "@fix/tool@1.2.3"]);
        assert.include(args, "--ignore-scripts");
        const own = ["HOME", "TMPDIR", "TMP", "TEMP"];
        assert.deepStrictEqual(
          Object.keys(env)
            .filter((name) => !own.includes(name))
            .toSorted(),
          ["MCP_SERVER_PROCESS", "PATH", "npm_config_registry", "npm_config_userconfig"],
        );
        assert.strictEqual(env.npm_config_registry, "https://registry.example/");
        for (const name of own) assert.isTrue(env[name].startsWith(dataDir));
      }).pipe(Effect.scoped),
  );

  it.live("[packages.npm.none] a missing npm is reported", () =>
    Effect.gen(function* () {
      const dataDir = yield* World.folder;
      const packages = yield* World.packages(dataDir, { PATH: join(dataDir, "empty") });
      const error = yield* Effect.flip(packages.prepare("node", manifest()));
      assert.deepStrictEqual(
        [error.reason, error.message],
        ["runtimeMissing", "npm, which installs @fix/tool@1.2.3, was not found."],
      );
    }).pipe(Effect.scoped),
  );

  it.live(
    "[packages.leftovers] a start removes the unfinished installations of crashed services and of no others",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const npm = program(join(dataDir, "bin"), "npm", "setInterval(() => {}, 1000)");
        const parts = () =>
          readdirSync(join(dataDir, "packages")).filter((one) => one.startsWith(".part"));
        yield* Effect.scoped(
          Effect.gen(function* () {
            const packages = yield* World.packages(dataDir, { PATH: dirname(npm) });
            yield* Effect.forkScoped(Effect.ignore(packages.prepare("node", manifest())));
            assert.isTrue(
              yield* Fixture.until(dataDir, () => existsSync(join(dataDir, "packages"))),
            );
            assert.isTrue(
              yield* Fixture.until(join(dataDir, "packages"), () => parts().length === 1),
            );
            const [own = ""] = parts();
            const [, system = ""] = own.split("-");
            mkdirSync(join(dataDir, "packages", `.part-${system}-1-1-abcdef`));
            mkdirSync(join(dataDir, "packages", ".part-00000000-1-1-abcdef"));
            yield* World.packages(dataDir, { PATH: dirname(npm) });
            assert.sameMembers(parts(), [own, ".part-00000000-1-1-abcdef"]);
          }),
        );
        assert.deepStrictEqual(parts(), [".part-00000000-1-1-abcdef"]);
      }).pipe(Effect.scoped),
  );
});

describe.runIf(process.env["QM_LONG"] === "1")("the registry itself", () => {
  it.live(
    "[packages.npm.real] the registry gives a package of the catalog [long]",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const packages = yield* World.packages(dataDir, process.env, { prepareSeconds: 300 });
        const found = yield* packages.prepare(
          "node",
          manifest({
            package: "@notionhq/notion-mcp-server",
            version: "2.5.2",
            integrity:
              "sha512-5nPSwHMnugSGAhSJS5vVIlMao+iTJO9HoWGpCnT8lJNrPy3rZMqs1V/CPiN4MuxF+5EBgRE/f/Tirl6Wfi75Mg==",
            command: "notion-mcp-server",
          }),
        );
        assert.strictEqual(found.command, process.execPath);
      }).pipe(Effect.scoped),
    300_000,
  );
});
