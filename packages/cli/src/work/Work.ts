import { Effect, FileSystem, Option, Path } from "effect";
import { usage } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import * as Duration from "../Duration.ts";
import * as NodeProcess from "../process/NodeProcess.ts";
import * as CommandLine from "./CommandLine.ts";
import * as Hosts from "./hosts/Hosts.ts";
import * as RunFolder from "./RunFolder.ts";
import * as Runner from "./Runner.ts";
import * as RunnerKey from "./RunnerKey.ts";
import * as Subprocess from "./Subprocess.ts";
import * as Worktrees from "./Worktrees.ts";

/** The values of the options of `quartermaster work`. */
export interface WorkFlags extends Connection.Flags {
  readonly agent: Option.Option<string>;
  readonly project: ReadonlyArray<string>;
  readonly concurrency: number;
  readonly lease: string;
  readonly timeout: string;
  readonly onSuccess: "review" | "resolved";
  readonly output: "text" | "markdown";
  readonly directory: Option.Option<string>;
  readonly worktree: Option.Option<string>;
  readonly worktrees: boolean;
  readonly quiet: boolean;
  readonly breaker: string;
  readonly once: boolean;
  readonly with: Option.Option<Hosts.Name>;
  readonly command: ReadonlyArray<string>;
}

const isProgram = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem;
  const found = yield* Effect.option(fs.stat(file));
  return Option.exists(found, ({ mode, type }) => type === "File" && (mode & 0o111) !== 0);
});

/** Refuses a command that does not exist, before an issue is started for it. */
const checkProgram = Effect.fnUntraced(function* (command: string, folder: string | undefined) {
  const { delimiter, isAbsolute, join, resolve, sep } = yield* Path.Path.pipe(
    Effect.map((path) => ({ ...path, delimiter: path.sep === "\\" ? ";" : ":" })),
  );
  const environment = yield* NodeProcess.Environment;
  // Windows appends extensions to the name, so only the start itself finds the program.
  if (sep === "\\") return;
  const candidates =
    isAbsolute(command) || command.includes("/")
      ? [resolve(folder ?? ".", command)]
      : (environment["PATH"] ?? "").split(delimiter).map((dir) => join(dir, command));
  for (const candidate of candidates) if (yield* isProgram(candidate)) return;
  return yield* usage(
    `The command ${JSON.stringify(command)} does not exist or cannot be executed.`,
  );
});

/** Refuses a host that lacks what connects it, before an issue is started for it. */
const checkHost = Effect.fnUntraced(function* (name: Hosts.Name, folder: string | undefined) {
  const { program, requirement } = Hosts.forRun(name);
  if (requirement === null) return;
  const variables = Object.entries(yield* NodeProcess.Environment);
  const env = Object.fromEntries(variables.filter(([variable]) => !variable.startsWith("QM_")));
  const { stderr, stdout } = yield* Subprocess.run(program, requirement.args, {
    cwd: folder,
    env: { ...env, NO_COLOR: "1" },
  });
  // Some hosts write lists to stderr.
  if (requirement.installed.test(`${stdout}\n${stderr}`)) return;
  return yield* usage(requirement.advice);
});

const checkFolder = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem;
  const found = yield* Effect.option(fs.stat(folder));
  if (Option.exists(found, ({ type }) => type === "Directory")) return folder;
  return yield* usage(`--directory must name a directory. ${folder} is not one.`);
});

/** Hides the runner's key, which may be an Admin's, from the processes that COMMAND starts. */
const hideKey = Effect.try({
  try: NodeProcess.hideVariables,
  catch: () =>
    usage(
      "The runner needs a temporary directory that it can write to. Set TMPDIR to another folder.",
    ),
});

/** `quartermaster work -- COMMAND`: turns a program into an agent. */
export const run = Effect.fnUntraced(function* (flags: WorkFlags) {
  const folder = Option.getOrUndefined(flags.directory);
  if (folder !== undefined) yield* checkFolder(folder);
  if (flags.worktrees) {
    return yield* Worktrees.show(yield* Connection.open(flags), folder ?? ".");
  }
  const host = Option.getOrNull(flags.with);
  const [command, ...args] =
    host === null ? flags.command : [Hosts.forRun(host).program, ...flags.command];
  if (command === undefined)
    return yield* usage(
      [
        "Name the command after --, or a host with --with.",
        "",
        "Usage: quartermaster work [flags] -- COMMAND...",
        "`quartermaster work --help` explains it.",
      ].join("\n"),
    );
  if (CommandLine.scriptWithPrompt(flags.command) !== undefined) {
    return yield* usage(
      "{prompt} cannot be the script of a shell: the text of an issue would be executed. Read the prompt from stdin in the script instead.",
    );
  }
  if (flags.concurrency < 1 || flags.concurrency > 50) {
    return yield* usage(`--concurrency must be from 1 to 50, not ${flags.concurrency}.`);
  }
  yield* checkProgram(command, folder);
  if (host !== null) yield* checkHost(host, folder);
  const breaker = flags.breaker === "off" ? Infinity : Number(flags.breaker);
  if (!(breaker === Infinity || (Number.isInteger(breaker) && breaker >= 1 && breaker <= 100))) {
    return yield* usage(`--breaker must be from 1 to 100, or off, not ${flags.breaker}.`);
  }
  const leaseSeconds = yield* Duration.option("lease", flags.lease, 5, 86_400);
  const timeoutSeconds = yield* Duration.option("timeout", flags.timeout, 1, 604_800);
  yield* hideKey;
  yield* RunFolder.removeDead;
  // The runner acts for many runs, not for the run of its own process.
  const access = { ...(yield* Connection.open(flags)), runId: null };
  const worker = yield* RunnerKey.make(access, Option.getOrNull(flags.agent), flags.project);
  const worktrees = Option.isNone(flags.worktree)
    ? null
    : yield* Worktrees.make(worker, folder ?? ".", flags.worktree.value || null);
  if (worktrees !== null) yield* worktrees.removeDone;
  yield* Runner.run(worker, {
    host,
    command,
    args,
    folder,
    worktrees,
    leaseSeconds,
    timeoutSeconds,
    onSuccess: flags.onSuccess,
    output: host === null ? flags.output : "markdown",
    quiet: flags.quiet,
    concurrency: flags.concurrency,
    breaker,
    once: flags.once,
  });
}, Effect.scoped);
