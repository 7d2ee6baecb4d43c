import { StringDecoder } from "node:string_decoder";
import { Clock, Effect, Latch } from "effect";
import * as Api from "../Api.ts";

/**
 * Sends the output of a command to the log of its run as it arrives. Entries wait for a second, or
 * until 64 KiB wait. The log never delays the command, and its failure never fails the work:
 * entries that cannot be sent wait up to a limit, and then the oldest are dropped.
 */

export type Stream = "stdout" | "stderr" | "host";

interface Entry {
  readonly at: string;
  readonly stream: Stream;
  text: string;
}

const interval = "1 second";
/** The UTF-16 units of text after which waiting entries are sent immediately, and of one entry. */
const soon = 64 * 1_024;
/**
 * The maximum number of units of a request: its texts have at most 256 KiB, at 3 bytes for each
 * unit.
 */
const mostUnits = 80 * 1_024;
const mostEntries = 1_000;
/** The maximum number of units that wait while the server is unreachable. */
const mostWaiting = 4 * 1_024 * 1_024;

const dropped = "[Output is missing here: the server could not be reached.]\n";

export interface RunLog {
  /** Adds output to the entries that wait. */
  readonly write: (stream: Stream, chunk: Uint8Array | string) => void;
  /** Sends the waiting entries, for up to `millis` milliseconds. */
  readonly flush: (millis: number) => Effect.Effect<void>;
}

/** A log that sends until its scope closes. */
export const make = Effect.fnUntraced(function* (
  access: Api.Access,
  agentId: string,
  runId: string,
) {
  const acting = { ...access, runId };
  const clock = yield* Clock.Clock;
  const decoders = new Map<Stream, StringDecoder>();
  const waiting: Array<Entry> = [];
  let units = 0;
  /** The number of the next entry that is numbered. Dropped entries have no number. */
  let next = 1;
  /** The entries of the request in flight. A retry sends the same entries. */
  let sending: ReadonlyArray<Entry> = [];
  let isOver = false;
  const isFull = Latch.makeUnsafe(false);
  const isSent = Latch.makeUnsafe(true);

  const textOf = (stream: Stream, chunk: Uint8Array | string): string => {
    if (typeof chunk === "string") return chunk;
    // Keeps the bytes of a character that was cut.
    const decoder = decoders.get(stream) ?? new StringDecoder("utf8");
    decoders.set(stream, decoder);
    return decoder.write(Buffer.from(chunk));
  };

  const write = (stream: Stream, chunk: Uint8Array | string): void => {
    const text = textOf(stream, chunk).toWellFormed();
    if (text === "" || isOver) return;
    for (let from = 0, to = 0; from < text.length; from = to) {
      to = Math.min(text.length, from + soon);
      // Does not cut a surrogate pair.
      if (to < text.length && text.charCodeAt(to - 1) >> 10 === 0b110110) to -= 1;
      const part = text.slice(from, to);
      const last = waiting.at(-1);
      if (last?.stream === stream && last.text.length + part.length <= soon) last.text += part;
      else {
        const at = new Date(clock.currentTimeMillisUnsafe()).toISOString();
        waiting.push({ at, stream, text: part });
      }
    }
    units += text.length;
    if (units > mostWaiting) drop();
    isSent.closeUnsafe();
    if (units >= soon) isFull.openUnsafe();
  };

  /** Makes room while the server cannot be reached. */
  const drop = () => {
    while (units > mostWaiting) units -= waiting.shift()?.text.length ?? units;
    const [first] = waiting;
    if (first === undefined || first.text.startsWith(dropped)) return;
    waiting.unshift({ at: first.at, stream: "host", text: dropped });
    units += dropped.length;
  };

  const take = () => {
    let size = 0;
    let count = 0;
    for (const { text } of waiting) {
      if (count === mostEntries || (count > 0 && size + text.length > mostUnits)) break;
      size += text.length;
      count += 1;
    }
    units -= size;
    return waiting.splice(0, count);
  };

  const post = Effect.suspend(() => {
    if (sending.length === 0) sending = take();
    if (sending.length === 0) return Effect.void;
    const entries = sending;
    const body = { agentId, runId, from: next, entries };
    return Api.call(acting, (client, options) => client.runs.writeLog(body, options)).pipe(
      Effect.tap((answer) =>
        Effect.sync(() => {
          next = answer.next;
          sending = [];
        }),
      ),
    );
  });

  /** Sends everything that waits. The end of the run, or a refusal, ends the log. */
  const send = Effect.gen(function* () {
    isFull.closeUnsafe();
    while (!isOver && (sending.length > 0 || waiting.length > 0)) {
      const failure = yield* Effect.flip(post).pipe(Effect.orElseSucceed(() => null));
      if (failure === null) continue;
      if (failure.retryAfterSeconds !== null) return yield* Effect.sleep(interval);
      isOver = true;
      waiting.length = 0;
    }
    isSent.openUnsafe();
  });

  yield* Effect.raceFirst(Effect.sleep(interval), isFull.await).pipe(
    Effect.andThen(send),
    Effect.forever,
    Effect.forkScoped,
  );

  return {
    write,
    flush: (millis) =>
      Effect.suspend(() => {
        isFull.openUnsafe();
        return isSent.await;
      }).pipe(Effect.timeoutOption(millis), Effect.asVoid),
  } satisfies RunLog;
});
