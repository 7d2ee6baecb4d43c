import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import { Effect } from "effect";
import { manifest, program } from "./support/TestPackages.ts";
import * as World from "./support/World.ts";

const wanted = manifest({ package: "Fix.Tool", command: "fix-tool" });

const run = ({
  command,
  args,
}: {
  readonly command: string;
  readonly args: ReadonlyArray<string>;
}) => execFileSync(command, [...args, "x"], { encoding: "utf8" }).trim();

/** A Python that creates environments, with pip and pipx. */
const python = `
const { cpSync, mkdirSync, writeFileSync, chmodSync } = require("node:fs");
const { dirname, join } = require("node:path");
const args = process.argv.slice(2);
if (args[0] === "--version") console.log("Python 3.12.4");
else if (args[0] === "-m" && args[1] === "venv") {
  mkdirSync(join(args[2], "bin"), { recursive: true });
  cpSync(__filename, join(args[2], "bin", "python"));
} else if (args[0] === "-m" && args[1] === "pip") {
  const path = join(dirname(__filename), "fix-tool");
  writeFileSync(path, "#!/old/place/bin/python\\n");
  chmodSync(path, 0o755);
  writeFileSync(join(dirname(__filename), "as-of"), process.env.PIP_UPLOADED_PRIOR_TO ?? "now");
  if (!args.includes("--only-binary=:all:") || !args.includes("Fix.Tool==1.2.3")) process.exit(2);
} else if (args[0] === "-m" && args[1] === "pipx") {
  const bin = join(process.env.PIPX_HOME, "venvs", "fix-tool", "bin");
  mkdirSync(bin, { recursive: true });
  mkdirSync(process.env.PIPX_BIN_DIR, { recursive: true });
  cpSync(__filename, join(bin, "python"));
  writeFileSync(join(bin, "as-of"), process.env.PIP_UPLOADED_PRIOR_TO ?? "now");
  writeFileSync(join(bin, "fix-tool"), "#!/old/place/bin/python\\n");
} else console.log("ran " + args.map((arg) => require("node:path").basename(arg)).join(" "));
`;

describe("packages of Python", () => {
  it.live.each(["python", "pipx"] as const)(
    "[packages.python] a package is installed in its own environment: %s",
    (runtime) =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const path = dirname(program(join(dataDir, "bin"), "python3", python));
        const packages = yield* World.packages(dataDir, { PATH: path });
        const found = yield* packages.prepare(runtime, wanted);
        assert.strictEqual(run(found), "ran fix-tool x");
        assert.isTrue(found.command.startsWith(join(dataDir, "packages", "Fix.Tool@1.2.3.")));
        assert.deepStrictEqual(yield* packages.prepare(runtime, wanted), found);
      }).pipe(Effect.scoped),
  );

  it.live.each(["python", "pipx"] as const)(
    "[packages.python.before] pip gets the date as of which dependencies are resolved: %s",
    (runtime) =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const path = dirname(program(join(dataDir, "bin"), "python3", python));
        const packages = yield* World.packages(dataDir, { PATH: path });
        const dateAt = Effect.fnUntraced(function* (lockedAt: string | null) {
          const { command } = yield* packages.prepare(runtime, { ...wanted, lockedAt });
          return readFileSync(join(dirname(command), "as-of"), "utf8");
        });
        assert.strictEqual(yield* dateAt("2024-05-31"), "2024-05-31T00:00:00Z");
        assert.strictEqual(yield* dateAt("2024-05-31T12:00:00.000Z"), "2024-05-31T12:00:00.000Z");
        assert.strictEqual(yield* dateAt(null), "now");
      }).pipe(Effect.scoped),
  );

  it.live.each(["python", "pipx"] as const)(
    "[packages.python.before] an index without upload times resolves the newest dependencies: %s",
    (runtime) =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const index = `if (process.argv[2] === "-m" && process.env.PIP_UPLOADED_PRIOR_TO) {
          console.error("ERROR: Index http://127.0.0.1/simple does not provide upload-time metadata.");
          process.exit(1);
        }`;
        const path = dirname(program(join(dataDir, "bin"), "python3", `${index}\n${python}`));
        const packages = yield* World.packages(dataDir, { PATH: path });
        const { command } = yield* packages.prepare(runtime, { ...wanted, lockedAt: "2024-05-31" });
        assert.strictEqual(readFileSync(join(dirname(command), "as-of"), "utf8"), "now");
      }).pipe(Effect.scoped),
  );

  it.live("[packages.pipx.without] an entry for pipx runs with Python where pipx is missing", () =>
    Effect.gen(function* () {
      const dataDir = yield* World.folder;
      const withoutPipx = python.replace('"pipx"', '"no-module"');
      const source = `if (process.argv[3] === "pipx") process.exit(1);\n${withoutPipx}`;
      const path = dirname(program(join(dataDir, "bin"), "python3", source));
      const packages = yield* World.packages(dataDir, { PATH: path });
      const found = yield* packages.prepare("pipx", wanted);
      assert.strictEqual(run(found), "ran fix-tool x");
      assert.match(found.command, /venv\/bin\/python$/);
    }).pipe(Effect.scoped),
  );

  it.live("[packages.python.missing] a missing Python is reported", () =>
    Effect.gen(function* () {
      const dataDir = yield* World.folder;
      const packages = yield* World.packages(dataDir, { PATH: join(dataDir, "none") });
      for (const runtime of ["python", "pipx"] as const) {
        const error = yield* Effect.flip(packages.prepare(runtime, wanted));
        assert.strictEqual(error.reason, "runtimeMissing");
      }
    }).pipe(Effect.scoped),
  );

  it.live("[packages.python.failed] a failed installation reports the output of pip", () =>
    Effect.gen(function* () {
      const dataDir = yield* World.folder;
      const broken = "console.error('no module named venv'); process.exit(1)";
      const path = dirname(program(join(dataDir, "bin"), "python3", broken));
      const packages = yield* World.packages(dataDir, { PATH: path });
      const error = yield* Effect.flip(packages.prepare("python", wanted));
      assert.strictEqual(
        error.message,
        "Fix.Tool@1.2.3 could not be installed (exit code 1): no module named venv",
      );
    }).pipe(Effect.scoped),
  );

  it.live(
    "[packages.python.unreachable] an index that cannot be reached is reported in one line",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const retries = `if (process.argv.includes("install")) {
        for (let left = process.env.PIP_RETRIES; left-- > 0;) {
          console.error("WARNING: Retrying (Retry(total=" + left + ")) after connection broken by 'X'");
        }
        console.error("ERROR: No matching distribution found for fix-tool");
        process.exit(1);
      }`;
        const path = dirname(program(join(dataDir, "bin"), "python3", `${retries}\n${python}`));
        const packages = yield* World.packages(dataDir, { PATH: path });
        const error = yield* Effect.flip(packages.prepare("python", wanted));
        assert.strictEqual(
          error.message,
          "Fix.Tool@1.2.3 could not be installed (exit code 1): pip could not reach its index: check PIP_INDEX_URL and the network.\nERROR: No matching distribution found for fix-tool",
        );
      }).pipe(Effect.scoped),
  );

  it.live(
    "[packages.python.integrity] an integrity is refused, because pip has none to compare",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const packages = yield* World.packages(dataDir, { PATH: "" });
        const integrity = `sha512-${"A".repeat(86)}==`;
        const error = yield* Effect.flip(packages.prepare("python", { ...wanted, integrity }));
        assert.strictEqual(error.reason, "prepareFailed");
      }).pipe(Effect.scoped),
  );
});

describe("local programs", () => {
  it.live("[packages.local] a local program is found on PATH or at its absolute path", () =>
    Effect.gen(function* () {
      const dataDir = yield* World.folder;
      const path = program(join(dataDir, "bin"), "local-tool", "");
      writeFileSync(join(dataDir, "bin", "no-program"), "");
      const packages = yield* World.packages(dataDir, { PATH: `/nowhere:${dirname(path)}` });
      const local = (command: string) =>
        packages.prepare("none", manifest({ package: null, version: null, command }));
      assert.deepStrictEqual(yield* local("local-tool"), { command: path, args: [], files: [] });
      assert.deepStrictEqual(yield* local(path), { command: path, args: [], files: [] });
      for (const command of ["no-program", "other-tool", "/no/such", "bin/local-tool"]) {
        const error = yield* Effect.flip(local(command));
        assert.deepStrictEqual(
          [error.reason, error.message],
          ["runtimeMissing", `The program ${command} was not found.`],
        );
      }
    }).pipe(Effect.scoped),
  );
});

describe("folders of servers", () => {
  it.live("[packages.folder] are private, one for all or for each agent, and can be removed", () =>
    Effect.gen(function* () {
      const dataDir = yield* World.folder;
      const packages = yield* World.packages(dataDir, {});
      const shared = yield* packages.folder("mcp_1", null);
      const one = yield* packages.folder("mcp_1", "agent/../one");
      const two = yield* packages.folder("mcp_1", "agent two");
      const other = yield* packages.folder("../mcp_2", null);
      assert.strictEqual(shared, join(dataDir, "servers", "mcp_1", "shared"));
      assert.strictEqual(new Set([shared, one, two, other]).size, 4);
      for (const folder of [shared, one, two, other]) {
        assert.isTrue(folder.startsWith(join(dataDir, "servers")));
        if (process.platform !== "win32") assert.strictEqual(statSync(folder).mode & 0o777, 0o700);
      }
      assert.strictEqual(yield* packages.folder("mcp_1", "agent two"), two);
      yield* packages.removeFolders("mcp_1");
      assert.isFalse(existsSync(shared) || existsSync(two));
      assert.isTrue(existsSync(other));
    }).pipe(Effect.scoped),
  );

  it.live(
    "[packages.forbidden] a path in or above the data directory is recognized in any form",
    () =>
      Effect.gen(function* () {
        const parent = yield* World.folder;
        const dataDir = join(parent, "data");
        const outside = join(parent, "outside");
        mkdirSync(join(dataDir, "servers"), { recursive: true });
        mkdirSync(outside);
        symlinkSync(dataDir, join(outside, "link"));
        const packages = yield* World.packages(dataDir, {});
        const forbidden = [
          dataDir,
          `${dataDir}/`,
          join(dataDir, "quartermaster.db"),
          join(dataDir, "not", "there", "yet"),
          parent,
          "/",
          join(outside, "link"),
          join(outside, "link", "secret-key"),
          `${outside}/../data/secret-key`,
          "../../..",
          "../../../secret-key",
          pathToFileURL(join(dataDir, "secret-key")).href,
          `${outside},${dataDir}`,
          `${outside}:${dataDir}`,
          ` ${dataDir} `,
          `sqlite://${dataDir}/quartermaster.db`,
          `sqlite:${join(outside, "link")}/quartermaster.db`,
          `--x=${dataDir}`,
          `x=${join(outside, "link")}`,
          `-I${dataDir}`,
          `https://example.com/${encodeURIComponent(dataDir)}`,
          `${dataDir.replaceAll("/", "//")}//secret-key`,
          `{"path":"${dataDir}/secret-key"}`,
          `--x=${parent}`,
          "/proc",
          "/proc/self/environ",
          "x=/proc/1",
          "file:///proc/self/environ",
          "sqlite:///dev/shm/x",
          "/sys",
          "/dev/stdin",
        ];
        const allowed = [
          "",
          "word",
          "a b",
          outside,
          join(outside, "file"),
          `${dataDir}-other`,
          "notes/today.md",
          "https://example.com/a/../b",
          "postgres://user:pass@localhost:5432/data",
          "v1..v2",
          "10:30",
          pathToFileURL(outside).href,
          `/backup${dataDir}`,
          "https://example.com/dev/api/proc",
          "postgres://localhost/dev?host=/var/run/postgresql",
          "/srv/dev",
          "-x",
        ];
        for (const value of forbidden) {
          assert.isTrue(yield* packages.isForbiddenPath(value), value);
        }
        for (const value of allowed) {
          assert.isFalse(yield* packages.isForbiddenPath(value), value);
        }
      }).pipe(Effect.scoped),
  );

  it.live("[sandbox.allowed] a path is allowed by its real path, and none without a setting", () =>
    Effect.gen(function* () {
      const root = yield* World.folder;
      const allowed = join(root, "allowed");
      mkdirSync(join(allowed, "notes"), { recursive: true });
      mkdirSync(join(root, "private"));
      symlinkSync(join(root, "private"), join(allowed, "link"));
      symlinkSync(allowed, join(root, "other-name"));
      const packages = yield* World.packages(join(root, "data"), {}, { allowedPaths: [allowed] });
      for (const path of ["", "/notes", "/not/there", "/../other-name/notes", "/notes/.."]) {
        assert.isTrue(yield* packages.isAllowedPath(`${allowed}${path}`), path);
      }
      for (const path of ["/link", "/link/x", "/../private", "/..", "/../allowed-too", "x"]) {
        assert.isFalse(yield* packages.isAllowedPath(`${allowed}${path}`), path);
      }
      assert.isFalse(yield* packages.isAllowedPath("/"));
      const none = yield* World.packages(join(root, "data"), {});
      assert.isFalse(yield* none.isAllowedPath(allowed));
    }).pipe(Effect.scoped),
  );

  it.live.skipIf(process.platform === "win32")(
    "[packages.folders.removed] a server's folder is removed regardless of the modes, names and depth of its files",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const outside = join(dataDir, "outside");
        mkdirSync(outside);
        writeFileSync(join(outside, "file"), "stays", { mode: 0o444 });
        const packages = yield* World.packages(dataDir, {});
        const folder = yield* packages.folder("mcp_1", null);
        symlinkSync(outside, join(folder, "link"));
        mkdirSync(join(folder, "closed", "inner"), { recursive: true });
        writeFileSync(Buffer.concat([Buffer.from(`${folder}/closed/`), Buffer.of(0xff)]), "x");
        chmodSync(join(folder, "closed", "inner"), 0);
        chmodSync(join(folder, "closed"), 0);
        // Deeper than the longest allowed path: only relative paths reach it.
        const nest = "for (let i = 0; i < 60; i++) { fs.mkdirSync(name); process.chdir(name); }";
        const script = `const name = "d".repeat(200); ${nest} fs.writeFileSync("file", "");`;
        assert.strictEqual(spawnSync(process.execPath, ["-e", script], { cwd: folder }).status, 0);
        yield* packages.removeFolders("mcp_1");
        assert.deepStrictEqual(readdirSync(join(dataDir, "servers")), []);
        assert.strictEqual(readFileSync(join(outside, "file"), "utf8"), "stays");
        yield* packages.removeFolders("mcp_1");
      }).pipe(Effect.scoped),
  );
});
