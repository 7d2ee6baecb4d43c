import { Console, Effect, Redacted } from "effect";
import type * as Api from "../Api.ts";
import * as NodeProcess from "../process/NodeProcess.ts";
import { Lines } from "./Lines.ts";
import * as RunLog from "./RunLog.ts";
import { Tail } from "./Tail.ts";

/** Milliseconds for which the end of a run waits until its log is sent. */
const flushMillis = 3_000;

interface Run {
  readonly agentId: string;
  readonly runId: string;
  readonly issueId: string;
}

/**
 * The output of a command: to the log of its run, to stderr of the runner unless it is quiet, and its end for a comment.
 */
export const make = Effect.fnUntraced(function* (
  access: Api.Access,
  { agentId, issueId, runId }: Run,
  isQuiet: boolean,
) {
  const key = Redacted.value(access.key);
  const log = yield* RunLog.make(access, agentId, runId);
  const console = yield* Console.Console;
  const show = (line: string) => {
    if (!NodeProcess.isStderrFull()) console.error(line);
  };
  const sink = (stream: "stdout" | "stderr") => {
    const tail = new Tail(key);
    const lines = isQuiet ? null : new Lines(issueId.slice(-6), key, show);
    const push = (chunk: Uint8Array) => {
      tail.push(chunk);
      lines?.push(chunk);
      log.write(stream, chunk);
    };
    return { push, end: () => lines?.end(), tail };
  };
  const stdout = sink("stdout");
  const stderr = sink("stderr");
  return {
    onStdout: stdout.push,
    onStderr: stderr.push,
    /** The end of each stream. */
    get text() {
      return { stdout: stdout.tail.text, stderr: stderr.tail.text };
    },
    /** Completes the log before the run ends. */
    end: Effect.suspend(() => {
      stdout.end();
      stderr.end();
      return log.flush(flushMillis);
    }),
  };
});
