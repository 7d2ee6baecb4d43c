import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
/* oxlint-disable no-restricted-globals, no-console --
   The one module of the command line and the server that sees the process: its streams, signals and memory. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime";
import { Cause, Context, type Effect, Exit, Option, Runtime } from "effect";
import { CliError } from "effect/cli";

/**
 * The time limit of a shutdown in milliseconds, for requests in flight and then MCP servers. After
 * it the process exits.
 */
const hardLimit = 18_000;

/** The bytes buffered for a slow reader of stdout. Further lines are dropped. */
const maxWaiting = 4 * 1024 * 1024;

/** Milliseconds for which lines are collected before they are written. */
const flushMillis = 5;

export const isTerminal = () => process.stdout.isTTY === true;

let waiting = "";

/** Writes the buffered lines. */
export const flush = () => {
  const lines = waiting;
  waiting = "";
  if (lines !== "" && process.stdout.writableLength < maxWaiting) process.stdout.write(lines);
};

/**
 * Writes a line to stdout, together with other lines of the same few milliseconds: writing each
 * line was a tenth of the time of a small request. If the reader does not read, lines are dropped
 * instead of buffered.
 */
export const printLine = (line: string) => {
  if (waiting === "") setTimeout(flush, flushMillis);
  waiting += `${line}\n`;
};

/** Writes the lines of another process to stdout. If the reader does not read, lines are dropped. */
export const relayLines = (from: NodeJS.ReadableStream) => {
  let start = Buffer.alloc(0);
  from.on("data", (chunk: Buffer) => {
    const end = chunk.lastIndexOf("\n") + 1;
    const lines = Buffer.concat([start, chunk.subarray(0, end)]);
    start = end === 0 ? Buffer.concat([start, chunk]) : Buffer.from(chunk.subarray(end));
    if (end > 0 && process.stdout.writableLength < maxWaiting) process.stdout.write(lines);
  });
};

/** Writes a line for a program to stdout. It is never dropped. */
export const printMessage = (line: string) => {
  flush();
  process.stdout.write(`${line}\n`);
};

/** Writes a line to stderr. */
export const printNote = (line: string) => {
  process.stderr.write(`${line}\n`);
};

/** Whether the reader of stderr does not read. Lines that are not essential are then dropped. */
export const isStderrFull = () => process.stderr.writableLength >= maxWaiting;

/**
 * Node's HTTP module without the exports that load undici. `import` reads every export of a
 * built-in module, which takes 75 ms of processor time for node:http; this takes 5 ms.
 */
export const http = () => process.getBuiltinModule("node:http");

export const https = () => process.getBuiltinModule("node:https");

/** The variables that child processes of a command inherit. Default: all of this process. */
export const Environment = Context.Reference<Readonly<Record<string, string | undefined>>>(
  "@quartermaster/cli/process/NodeProcess/Environment",
  { defaultValue: () => process.env },
);

/**
 * Signals every process of a group; signal 0 only checks whether there is one. Returns false if the
 * group has no process. Windows has no process groups, so only the process itself gets the signal.
 */
export const signalGroup = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    return false;
  }
};

export const { platform } = process;

/** The id of this process. */
export const id = process.pid;

/** The folder for temporary files. */
export const temporaryFolder = tmpdir();

/** Whether a process with this id exists, for any user. */
export const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

let onSecondSignal: (() => void) | null = null;

/**
 * Runs `act` at the second signal, which would otherwise exit immediately. The third signal then
 * does.
 */
export const atSecondSignal = (act: () => void) => {
  onSecondSignal = act;
};

/** The variable that marks a process whose other QM_ variables are on stdin. */
const variablesOnStdin = "QM_VARIABLES_ON_STDIN";

/** Whether `/proc/<pid>/environ` may show secrets that `hideVariables` can hide. */
let isExposed = false;

/**
 * Executes this program again in the same process, so that its QM_ variables, including the key,
 * disappear from `/proc/<pid>/environ`, which every process of the same user can read. The next
 * start reads them from stdin, an unlinked file. Windows has neither `/proc` nor `exec`.
 */
export const hideVariables = () => {
  const variables = Object.entries(process.env).filter(([name]) => name.startsWith("QM_"));
  if (!isExposed || variables.length === 0 || process.execve === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), "quartermaster-start-"));
  try {
    const file = join(folder, "variables.json");
    writeFileSync(file, JSON.stringify(Object.fromEntries(variables)), { mode: 0o600 });
    closeSync(0);
    // `openSync` returns the lowest free descriptor, which is stdin.
    openSync(file, "r");
  } finally {
    rmSync(folder, { recursive: true });
  }
  const args = [process.argv0, ...process.execArgv, ...process.argv.slice(1)];
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("QM_"));
  process.execve(process.execPath, args, {
    ...Object.fromEntries(others),
    [variablesOnStdin]: "1",
  });
};

/**
 * Reads the variables that `hideVariables` passed. Variables that a process sets itself do not
 * appear in `/proc`.
 */
const takeVariables = () => {
  isExposed = process.env[variablesOnStdin] === undefined;
  if (isExposed) return;
  const text = readFileSync(0, "utf8");
  closeSync(0);
  openSync("/dev/null", "r");
  delete process.env[variablesOnStdin];
  Object.assign(process.env, JSON.parse(text));
};

/** The number of signals so far that shut the process down. */
let signals = 0;

/** Shuts the process down as the first signal does. After a signal it has no effect. */
export const shutDown = () => {
  if (signals === 0) process.emit("SIGTERM");
};

/**
 * Runs the program until it finishes, or until SIGTERM or SIGINT shuts it down. A second signal or
 * the time limit exits immediately. The exit code is 0 if the program finished or was shut down,
 * else the error's own code or 1.
 */
export const runMain = <A, E>(program: Effect.Effect<A, E>) => {
  takeVariables();
  const onSignal = () => {
    signals += 1;
    if (signals > (onSecondSignal === null ? 1 : 2)) process.exit(1);
    if (signals > 1) onSecondSignal?.();
    setTimeout(() => process.exit(1), hardLimit).unref();
  };
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  // The reader of stdout or stderr may exit before this process.
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
  NodeRuntime.runMain(program, { disableErrorReporting: true, teardown });
};

const teardown: Runtime.Teardown = (exit, onExit) => {
  const code = codeOf(exit);
  const report = reportOf(exit);
  if (report !== null) console.error(report);
  // Gives the reader one second to drain the pipe.
  setTimeout(() => process.exit(code), 1000).unref();
  flush();
  setImmediate(() => process.stdout.write("", () => onExit(code)));
};

/** The exit code of a program. */
export const codeOf = (exit: Exit.Exit<unknown, unknown>): number =>
  Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)
    ? 0
    : Runtime.getErrorExitCode(Cause.squash(exit.cause));

/** The final output on stderr: the message of an error, or the whole cause of a defect. */
export const reportOf = (exit: Exit.Exit<unknown, unknown>): string | null => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return null;
  const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause));
  // effect/cli has already printed these errors.
  if (CliError.isCliError(error)) return null;
  return error instanceof Error ? error.message : Cause.pretty(exit.cause);
};
