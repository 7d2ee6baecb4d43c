import { access, open, readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { PackageStore } from "@quartermaster/core";
import { Effect } from "effect";
import * as Environment from "../processes/Environment.ts";
import { Host } from "../processes/Host.ts";
import * as Installation from "./Installation.ts";
import { ProgramRunner } from "./ProgramRunner.ts";
import { type Launch, Runtimes } from "./Runtimes.ts";

const { nameOf, prepareFailed, runtimeMissing } = Installation;

/** Allows wheels only: source distributions run their own code during installation. */
const onlyBinary = "--only-binary=:all:";

const attempt = <A>(f: () => Promise<A>) => Effect.tryPromise(f);

/** The host's own pip settings, so that pip uses the host's index. */
const settings = Effect.fnUntraced(function* (environment: Environment.Variables) {
  const usual = join(environment["HOME"] ?? homedir(), ".config", "pip", "pip.conf");
  const there = yield* Effect.isSuccess(attempt(() => access(usual)));
  const named = /^PIP_(?:CONFIG_FILE|INDEX_URL|EXTRA_INDEX_URL|FIND_LINKS|CERT)$/;
  return {
    PIP_NO_INPUT: "1",
    // The default of 5 takes 15 s per package when the index is unreachable.
    PIP_RETRIES: "2",
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    ...(there && { PIP_CONFIG_FILE: usual }),
    ...Environment.network(environment),
    ...Environment.select(environment, named),
  };
});

/**
 * A program of a virtual environment, started by the environment's interpreter, so that it works
 * after a move.
 */
const programIn = Effect.fnUntraced(function* (
  manifest: Installation.PackageManifest,
  venv: string,
  windows: boolean,
): Effect.fn.Return<PackageStore.Program, ReturnType<typeof prepareFailed>> {
  const programs = join(venv, windows ? "Scripts" : "bin");
  const path = join(programs, windows ? `${manifest.command}.exe` : manifest.command);
  const first = yield* Effect.mapError(firstLine(path), () =>
    prepareFailed(`${nameOf(manifest)} has no program ${manifest.command}.`),
  );
  const files = [venv, ...(yield* interpreterOf(venv))];
  return /^#!.*python|^#!\/bin\/sh/.test(first)
    ? { command: join(programs, "python"), args: [path], files }
    : { command: path, args: [], files };
});

/** The folders of the Python installation that a virtual environment links to. */
const interpreterOf = (venv: string) =>
  Effect.orElseSucceed(
    attempt(async (): Promise<ReadonlyArray<string>> => {
      const config = await readFile(join(venv, "pyvenv.cfg"), "utf8");
      const [, home = ""] = /^home\s*=\s*(.+)$/m.exec(config) ?? [];
      return home === "" ? [] : [home.trim(), join(dirname(home.trim()), "lib")];
    }),
    () => [],
  );

const firstLine = (path: string) =>
  attempt(async () => {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(512), position: 0 });
      return buffer.toString("latin1", 0, bytesRead).split("\n")[0] ?? "";
    } finally {
      await file.close();
    }
  });

/**
 * Limits dependencies by date. Uses a variable instead of an option: pip before 26 ignores the
 * variable, but fails on the option.
 */
const asOf = ({ lockedAt }: Installation.PackageManifest) =>
  lockedAt === null
    ? {}
    : { PIP_UPLOADED_PRIOR_TO: lockedAt.includes("T") ? lockedAt : `${lockedAt}T00:00:00Z` };

/** Shortens pip's output: one sentence replaces its attempts to reach the index. */
const wordsOf = (text: string): string => {
  const lines = text.split("\n");
  const rest = lines.filter((line) => !line.startsWith("WARNING: Retrying "));
  return rest.length === lines.length
    ? text
    : ["pip could not reach its index: check PIP_INDEX_URL and the network.", ...rest].join("\n");
};

/** The message of pip 26 for an index without upload times, such as many mirrors. */
const withoutDates = /does not provide upload-time metadata/;

const notChecked = (manifest: Installation.PackageManifest) =>
  manifest.integrity === null
    ? Effect.void
    : Effect.fail(
        prepareFailed(`${nameOf(manifest)} has an integrity, which only npm packages can have.`),
      );

const tools = Effect.gen(function* () {
  const runtimes = yield* Runtimes;
  const runner = yield* ProgramRunner;
  const { environment, platform } = yield* Host;

  const step = Effect.fnUntraced(function* (
    manifest: Installation.PackageManifest,
    launch: Launch,
    args: ReadonlyArray<string>,
    place: { readonly folder: string; readonly home: string },
    env: Readonly<Record<string, string>> = {},
  ) {
    const usual = { ...(yield* settings(environment)), ...env };
    const attemptWith = (date: Readonly<Record<string, string>>) =>
      runner.run(launch.command, [...launch.args, ...args], {
        cwd: place.folder,
        home: place.home,
        env: { ...usual, ...date },
      });
    const dated = yield* attemptWith(asOf(manifest));
    const { code, text } = withoutDates.test(dated.text) ? yield* attemptWith({}) : dated;
    if (code === 0) return;
    return yield* prepareFailed(
      `${nameOf(manifest)} could not be installed (${code === null ? "ended" : `exit code ${code}`}): ${wordsOf(text)}`,
    );
  });

  return { runner, runtimes, step, windows: platform === "win32" };
});

/** Creates a virtual environment in the folder `venv`. */
const makeVenv = Effect.gen(function* () {
  const { runtimes, step, windows } = yield* tools;

  const install: Installation.Installer["install"] = Effect.fn("Python.install")(
    function* (manifest, place) {
      yield* notChecked(manifest);
      const python = yield* runtimes.python;
      if (python === null) {
        return yield* runtimeMissing(`Python, which runs ${nameOf(manifest)}, was not found.`);
      }
      const venv = join(place.folder, "venv");
      yield* step(manifest, python, ["-m", "venv", venv], place);
      const own = join(venv, windows ? "Scripts" : "bin", "python");
      const pip = ["-m", "pip", "install", onlyBinary, "--cache-dir", join(place.cache, "pip")];
      const wanted = `${manifest.package}==${manifest.version}`;
      yield* step(manifest, { command: own, args: [] }, [...pip, wanted], place);
    },
  );

  const program: Installation.Installer["program"] = (manifest, folder) =>
    programIn(manifest, join(folder, "venv"), windows);

  return { install, program };
});

/** Installs Python packages with pip, each in its own virtual environment. */
export const makePython: Installation.MakeInstaller = makeVenv;

/**
 * Installs Python packages with pipx, each in its own pipx home. Falls back to `makePython` without
 * pipx.
 */
export const makePipx: Installation.MakeInstaller = Effect.gen(function* () {
  const { runner, runtimes, step, windows } = yield* tools;
  const venv = yield* makeVenv;

  /** Finds the pipx program, or the pipx module of a Python. */
  const find = Effect.fnUntraced(function* (place: {
    readonly folder: string;
    readonly home: string;
  }) {
    const pipx = yield* runtimes.pipx;
    const python = yield* runtimes.python;
    if (pipx !== null || python === null) return pipx;
    const args = [...python.args, "-m", "pipx"];
    const { code } = yield* runner.run(python.command, [...args, "--version"], {
      cwd: place.folder,
      home: place.home,
    });
    return code === 0 ? { command: python.command, args } : null;
  });

  const install: Installation.Installer["install"] = Effect.fn("Pipx.install")(
    function* (manifest, place) {
      yield* notChecked(manifest);
      const pipx = yield* find(place);
      if (pipx === null) return yield* venv.install(manifest, place);
      const args = ["install", `${manifest.package}==${manifest.version}`];
      yield* step(manifest, pipx, [...args, `--pip-args=${onlyBinary}`], place, {
        PIPX_HOME: join(place.folder, "pipx"),
        PIPX_BIN_DIR: join(place.folder, "bin"),
        PIPX_MAN_DIR: join(place.folder, "man"),
        USE_EMOJI: "0",
      });
    },
  );

  const program: Installation.Installer["program"] = Effect.fn("Pipx.program")(
    function* (manifest, folder) {
      const venvs = join(folder, "pipx", "venvs");
      const [name] = yield* Effect.orElseSucceed(
        attempt(() => readdir(venvs)),
        (): ReadonlyArray<string> => [],
      );
      return yield* name === undefined
        ? venv.program(manifest, folder)
        : programIn(manifest, join(venvs, name), windows);
    },
  );

  return { install, program };
});
