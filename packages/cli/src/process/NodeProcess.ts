import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
/* oxlint-disable no-restricted-globals, no-console --
   The one module of the command line and the server that sees the process: its streams, signals and memory. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime";
import { Cause, Context, type Effect, Exit, Option, Runtime } from "effect";
import { CliError } from "effect/cli";

/** Milliseconds for a shutdown: requests in flight, then MCP servers. After them the process exits. */
const hardLimit = 18_000;

/** Bytes that may wait for a slow reader of stdout; lines beyond them are dropped. */
const maxWaiting = 4 * 1024 * 1024;

/** Milliseconds that a line waits for others. */
const flushMillis = 5;

export const isTerminal = () => process.stdout.isTTY === true;

let waiting = "";

/** Writes the lines that wait. */
export const flush = () => {
  const lines = waiting;
  waiting = "";
  if (lines !== "" && process.stdout.writableLength < maxWaiting) process.stdout.write(lines);
};

/**
 * Writes lines to stdout, all lines of a few milliseconds together: written one by one they were a
 * tenth of a small request. A reader that does not read costs neither time nor memory, only lines.
 */
export const printLine = (line: string) => {
  if (waiting === "") setTimeout(flush, flushMillis);
  waiting += `${line}\n`;
};

/** Writes a line to stdout that a program reads: none is dropped. */
export const printMessage = (line: string) => {
  flush();
  process.stdout.write(`${line}\n`);
};

/** Writes a line to stderr. */
export const printNote = (line: string) => {
  process.stderr.write(`${line}\n`);
};

/**
 * Shows what another program writes, on a terminal only: a log would keep its secrets. A terminal that
 * does not read loses output.
 */
export const show = (chunk: Uint8Array) => {
  if (process.stderr.isTTY && process.stderr.writableLength < maxWaiting) {
    process.stderr.write(chunk);
  }
};

/**
 * Node's HTTP without its names that need undici: `import` reads every name of a built-in module, which takes 75 ms
 * of processor time for node:http, and this 5 ms.
 */
export const http = () => process.getBuiltinModule("node:http");

export const https = () => process.getBuiltinModule("node:https");

/** The variables that processes started by a command inherit. Default: all of this process. */
export const Environment = Context.Reference<Readonly<Record<string, string | undefined>>>(
  "@quartermaster/cli/process/NodeProcess/Environment",
  { defaultValue: () => process.env },
);

/**
 * Signals every process of a group; 0 only asks. Returns false if the group has none. Windows has no
 * groups: there the process itself is signaled.
 */
export const signalGroup = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    return false;
  }
};

let onSecondSignal: (() => void) | null = null;

/** Runs `act` at the second signal, which otherwise exits immediately. The third one does. */
export const atSecondSignal = (act: () => void) => {
  onSecondSignal = act;
};

/** Set in a process whose other QM_ variables are on stdin. */
const variablesOnStdin = "QM_VARIABLES_ON_STDIN";

/** Whether `/proc/<pid>/environ` of this process may have secrets that this process can hide. */
let isExposed = false;

/**
 * Starts this program again in the same process, so that its QM_ variables, and with them its key, leave
 * `/proc/<pid>/environ`, which every process of the same user can read. The next start reads them from
 * stdin: a file that has no name any more. Windows has neither that folder nor a way to do this.
 */
export const hideVariables = () => {
  const variables = Object.entries(process.env).filter(([name]) => name.startsWith("QM_"));
  if (!isExposed || variables.length === 0 || process.execve === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), "quartermaster-start-"));
  try {
    const file = join(folder, "variables.json");
    writeFileSync(file, JSON.stringify(Object.fromEntries(variables)), { mode: 0o600 });
    closeSync(0);
    // The lowest free descriptor, which is stdin.
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

/** Reads what `hideVariables` left. Variables that a process sets itself do not appear in `/proc`. */
const takeVariables = () => {
  isExposed = process.env[variablesOnStdin] === undefined;
  if (isExposed) return;
  const text = readFileSync(0, "utf8");
  closeSync(0);
  openSync("/dev/null", "r");
  delete process.env[variablesOnStdin];
  Object.assign(process.env, JSON.parse(text));
};

/**
 * Runs the program until it finishes, or SIGTERM or SIGINT shuts it down. A second signal or the
 * time limit exits immediately. Exit code 0 if the program finished or was shut down, else the code that
 * the error has, or 1.
 */
export const runMain = <A, E>(program: Effect.Effect<A, E>) => {
  takeVariables();
  let signals = 0;
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
  // A reader has one second to read what is still in the pipe.
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
  // effect/cli has presented these.
  if (CliError.isCliError(error)) return null;
  return error instanceof Error ? error.message : Cause.pretty(exit.cause);
};
