import { readFileSync } from "node:fs";
import { format } from "node:util";
import * as NodeServices from "@effect/platform-node/NodeServices";
import { onTestFinished } from "@effect/vitest";
import { ConfigProvider, Console, Effect, Layer, Stdio, Stream } from "effect";
import * as NodeProcess from "../../../cli/src/process/NodeProcess.ts";
import * as QuartermasterProgram from "../../src/program/Program.ts";

/** The exit code and the output of a command. */
export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Options {
  readonly env?: Record<string, string>;
  /** The content of stdin. Default: empty. */
  readonly input?: string;
  /** Receives the lines of stderr, which is then a terminal. */
  readonly terminal?: (line: string) => void;
}

const packageFile = new URL("../../package.json", import.meta.url);
const { version } = JSON.parse(readFileSync(packageFile, "utf8"));

/**
 * Runs `quartermaster` in this process until it exits: everything below `bin.ts`, with its own
 * arguments, stdin, variables, stdout, stderr and exit code. It is interrupted with the test. A
 * start of the program as a process takes 400 ms of processor time: only tests of signals, pipes,
 * terminals and exits need that.
 */
export const run = async (
  args: ReadonlyArray<string>,
  { env = {}, input = "", terminal }: Options = {},
  end: (end: () => Promise<void>) => void = onTestFinished,
): Promise<Result> => {
  let stdout = "";
  let stderr = "";
  const console: Console.Console = Object.assign(Object.create(globalThis.console), {
    log: (...values: ReadonlyArray<unknown>) => void (stdout += `${format(...values)}\n`),
    error: (...values: ReadonlyArray<unknown>) => {
      stderr += `${format(...values)}\n`;
      terminal?.(format(...values));
    },
  });
  const variables = { PATH: process.env["PATH"] ?? "", ...env };
  const stdio = Stdio.layerTest({
    args: Effect.succeed(args),
    stdin: Stream.make(new TextEncoder().encode(input)),
    stderrIsTerminal: Effect.succeed(terminal !== undefined),
  });
  const layer = Layer.mergeAll(
    stdio,
    ConfigProvider.layer(ConfigProvider.fromEnv({ env: variables })),
    Layer.succeed(Console.Console, console),
    Layer.succeed(NodeProcess.Environment, variables),
  ).pipe(Layer.provideMerge(NodeServices.layer));
  const ends = new AbortController();
  const exited = Effect.runPromiseExit(Effect.provide(QuartermasterProgram.run(version), layer), {
    signal: ends.signal,
  });
  end(async () => {
    ends.abort();
    await exited;
  });
  const exit = await exited;
  NodeProcess.flush();
  const report = NodeProcess.reportOf(exit);
  if (report !== null) stderr += `${report}\n`;
  return { code: NodeProcess.codeOf(exit), stdout, stderr };
};
