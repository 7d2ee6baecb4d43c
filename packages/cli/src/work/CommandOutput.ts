import { Console, Effect, Redacted } from "effect";
import type * as Api from "../Api.ts";
import * as NodeProcess from "../process/NodeProcess.ts";
import type { Host } from "./hosts/Host.ts";
import { HostStream } from "./hosts/HostStream.ts";
import { Lines } from "./Lines.ts";
import * as RunLog from "./RunLog.ts";
import { Tail } from "./Tail.ts";
import * as UsageQueue from "./UsageQueue.ts";

/** Milliseconds for which the end of a run waits until its log is sent. */
const flushMillis = 3_000;

interface Run {
  readonly agentId: string;
  readonly runId: string;
  readonly issueId: string;
}

export interface CommandOutput {
  readonly host: Host | null;
  readonly onStdout: (chunk: Uint8Array) => void;
  readonly onStderr: (chunk: Uint8Array) => void;
  /** The end of each stream. Of a host, its final text, and its failure after stderr. */
  readonly text: { readonly stdout: string; readonly stderr: string };
  /** Calls back with the host's session. */
  readonly onSession: (act: (session: string) => void) => void;
  /** Whether the host refused to continue a session. */
  readonly isRefused: () => boolean;
  /** Leaves out of `text` the output of a host that refused. */
  readonly forget: () => void;
  /** The usage that the host printed. */
  readonly usage: UsageQueue.UsageQueue;
  /** Completes the log before the run ends. */
  readonly end: Effect.Effect<void>;
}

/**
 * The output of a command: to the log of its run, to stderr of the runner unless it is quiet, and its end for a comment.
 */
export const make = Effect.fnUntraced(function* (
  access: Api.Access,
  { agentId, issueId, runId }: Run,
  isQuiet: boolean,
  host: Host | null,
) {
  const key = Redacted.value(access.key);
  const log = yield* RunLog.make(access, agentId, runId);
  const usage = yield* UsageQueue.make(access, agentId, runId);
  const console = yield* Console.Console;
  const show = (line: string) => {
    if (!NodeProcess.isStderrFull()) console.error(line);
  };
  const sink = (stream: RunLog.Stream) => {
    let tail = new Tail(key);
    const lines = isQuiet ? null : new Lines(issueId.slice(-6), key, show);
    const push = (chunk: Uint8Array) => {
      tail.push(chunk);
      lines?.push(chunk);
      log.write(stream, chunk);
    };
    return {
      push,
      end: () => lines?.end(),
      text: () => tail.text,
      forget: () => (tail = new Tail(key)),
    };
  };
  const stdout = sink(host === null ? "stdout" : "host");
  const stderr = sink("stderr");
  let onSession = (_session: string): void => {};
  const streamOf = (from: Host) =>
    new HostStream(
      from,
      (text) => stdout.push(Buffer.from(text)),
      (session) => onSession(session),
      usage.add,
    );
  let stream = host === null ? null : streamOf(host);
  /** The end of a text of the host, without the key. */
  const endOf = (text: string): string => {
    const tail = new Tail(key);
    tail.push(Buffer.from(text));
    return tail.text;
  };
  const textOf = () => ({
    stdout: stream?.answer == null ? stdout.text() : endOf(stream.answer),
    stderr: endOf([stderr.text(), stream?.failure ?? ""].filter((text) => text !== "").join("\n")),
  });
  return {
    host,
    usage,
    onStdout: (chunk: Uint8Array) => (stream ?? stdout).push(chunk),
    onStderr: stderr.push,
    get text() {
      return textOf();
    },
    onSession: (act: (session: string) => void) => (onSession = act),
    isRefused: () => {
      stream?.end();
      return host?.refusal.test(textOf().stderr) === true;
    },
    forget: () => {
      stderr.forget();
      stdout.forget();
      if (host !== null) stream = streamOf(host);
    },
    end: Effect.suspend(() => {
      stream?.end();
      stdout.end();
      stderr.end();
      return log.flush(flushMillis);
    }),
  } satisfies CommandOutput;
});
