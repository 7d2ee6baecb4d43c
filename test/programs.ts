import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { assert, onTestFinished } from "@effect/vitest";
import { build } from "rolldown";

/** Programs that tests check and run as processes. */

export const root = fileURLToPath(new URL("..", import.meta.url));

/** A folder that is removed after the test. */
export const temporaryFolder = async (
  end: (end: () => Promise<void>) => void = onTestFinished,
): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "quartermaster-"));
  end(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** Node.js stores compiled modules here: a program that imports Effect starts in half the time. */
const compiled = join(root, "node_modules", ".cache", "compiled");

interface Settings {
  readonly cwd: string;
  readonly env?: Record<string, string>;
}

const start = (command: string, args: ReadonlyArray<string>, { cwd, env }: Settings) => {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: compiled, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  return child;
};

const outputOf = (child: ChildProcess) => {
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk) => (output.stdout += chunk));
  child.stderr?.on("data", (chunk) => (output.stderr += chunk));
  return output;
};

/** Runs a command until it exits. */
export const run = async (command: string, args: ReadonlyArray<string>, settings: Settings) => {
  const child = start(command, args, settings);
  const output = outputOf(child);
  const [code] = await once(child, "close");
  return { ...output, code: code as number | null };
};

/**
 * Bundles TypeScript programs with the sources of the packages and of Effect, and returns the files
 * by name. A bundle starts in 0.7 s of processor time, the program itself in 2 to 3 s: it loads 900
 * modules.
 */
export const bundle = async <Name extends string>(
  input: Readonly<Record<Name, string>>,
  end?: (end: () => Promise<void>) => void,
): Promise<(name: Name) => string> => {
  const dir = await temporaryFolder(end);
  await symlink(join(root, "node_modules"), join(dir, "node_modules"));
  await writeFile(join(dir, "package.json"), JSON.stringify({ type: "module" }));
  await build({
    input: { ...input },
    platform: "node",
    logLevel: "silent",
    external: (id) => !/^([./]|effect$|effect\/|@effect\/|@quartermaster\/)/.test(id),
    resolve: { conditionNames: ["quartermaster-source", "import", "node", "default"] },
    output: { dir, format: "esm" },
  });
  return (name) => join(dir, `${name}.js`);
};

/** Runs a program until it exits: a bundle, or TypeScript on the sources. */
export const runNode = (file: string, settings: Settings) =>
  run(process.execPath, ["--conditions=quartermaster-source", file], settings);

/** Starts a program, and waits until a line of its output matches. Returns the match. */
const startUntil = async (args: ReadonlyArray<string>, settings: Settings, pattern: RegExp) => {
  const child = start(process.execPath, args, settings);
  const output = outputOf(child);
  const listens = Promise.withResolvers<string>();
  createInterface(child.stdout).on("line", (line) => {
    const [found] = line.match(pattern) ?? [];
    if (found !== undefined) listens.resolve(found);
  });
  child.once("close", () =>
    listens.reject(new Error(`The program exited: ${output.stderr}${output.stdout}`)),
  );
  return { child, found: await listens.promise };
};

/** Starts a program, and waits until it prints "Listening". */
export const listen = async (file: string, settings: Settings): Promise<ChildProcess> => {
  const args = ["--conditions=quartermaster-source", file];
  const { child } = await startUntil(args, settings, /^Listening$/);
  return child;
};

/** The program `quartermaster`. */
export const bin = join(root, "packages", "server", "bin", "quartermaster.js");

/** Starts the server on a free port, with its data in `.quartermaster` of the folder. Returns its URL. */
export const serve = async (cwd: string): Promise<string> => {
  const settings = { cwd, env: { QM_PORT: "0", QM_LOG: "json" } };
  const { found } = await startUntil([bin, "serve"], settings, /http:\/\/127\.0\.0\.1:\d+/);
  return found;
};

/**
 * Writes programs to a new folder with the installed packages, and checks their types against the
 * declarations of the packages. Builds stale declarations first. A check of all sources would take
 * four times as long.
 */
export const project = async (
  programs: ReadonlyArray<{ readonly file: string; readonly text: string }>,
): Promise<string> => {
  const cwd = await temporaryFolder();
  const packages = globSync("packages/*/src/index.ts", { cwd: root });
  const settings = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: { outDir: "declarations", lib: ["es2024", "webworker"], types: ["node"] },
    files: programs.map(({ file }) => file),
    references: packages.map((file) => ({ path: join(root, dirname(dirname(file))) })),
  };
  await symlink(join(root, "node_modules"), join(cwd, "node_modules"));
  await Promise.all([
    writeFile(join(cwd, "package.json"), JSON.stringify({ type: "module" })),
    writeFile(join(cwd, "tsconfig.json"), JSON.stringify(settings)),
    ...programs.map(({ file, text }) => writeFile(join(cwd, file), text)),
  ]);
  const tsc = join(root, "node_modules/.bin/tsc");
  const { code, stdout } = await run(process.execPath, [tsc, "-b", "--checkers", "1"], { cwd });
  assert.strictEqual(code, 0, stdout);
  return cwd;
};
