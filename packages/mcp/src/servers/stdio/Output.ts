import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";
import { Effect } from "effect";
import { cancelledBy } from "../../protocol/Cancelled.ts";
import { lineBytes, maxMessageBytes } from "../../protocol/Limits.ts";
import type { Oversized } from "../../protocol/Oversized.ts";
import * as Failure from "../session/Failure.ts";
import * as Allowance from "./Allowance.ts";
import * as InOrder from "./InOrder.ts";
import { messagesOf } from "./JsonRpc.ts";
import { Lines, newline } from "./Lines.ts";

/**
 * Units per line in addition to its bytes. A message costs about 0.2 ms in the SDK, as much as 256
 * bytes of one long line.
 */
const unitsPerLine = 256;
const unitsPerMessage = 2_048;

/**
 * The limit of unrequested output: 8 MiB, then 1 MiB per second, and nothing after 5 seconds at
 * that rate.
 */
const unasked = { burst: 8 * 1024 * 1024, perSecond: 1024 * 1024, patienceMillis: 5_000 };

/** Bytes of unrequested output that are read before yielding to other work: about 3 ms. */
const sliceBytes = 1024;

/**
 * The read rate of discarded bytes: lines beyond the limit and stderr. A faster program blocks in
 * its writes.
 */
const drained = {
  burst: 1024 * 1024,
  perSecond: 8 * 1024 * 1024,
  patienceMillis: Number.POSITIVE_INFINITY,
};
const logged = { ...drained, burst: 16 * 1024 * 1024, perSecond: 1024 * 1024 };

/**
 * The output of a program. Responses to requests are read as fast as they arrive. An allowance
 * limits all unrequested output: lines that are not messages, notifications, requests, and
 * responses to unknown requests.
 *
 * Of a line beyond the limit only the ends are stored. If they contain a request's id, that request
 * fails with an error from here and no other request is affected. While requests are pending, such
 * a line may be a response.
 */
export interface Output {
  /**
   * Reads a chunk of stdout. Returns false if the program writes too much unrequested output: stop
   * reading.
   */
  readonly read: (chunk: Uint8Array) => Effect.Effect<boolean>;
  /** Reads a chunk of stderr. Pauses if output arrives too fast. */
  readonly pace: (chunk: Uint8Array) => Effect.Effect<void>;
  /** Registers a sent message. A request expects a response until it is canceled. */
  readonly note: (message: JSONRPCMessage) => void;
  /** Allows lines for a result of `bytes` bytes: up to twice the length of its JSON. */
  readonly expectResult: (bytes: number) => void;
  /** The number of lines that were not messages, and of messages. */
  readonly seen: { readonly skipped: number; readonly messages: number };
}

export const make = (deliver: (message: JSONRPCMessage) => void): Output => {
  const inOrder = InOrder.make(deliver);
  const stdout = Allowance.make(unasked);
  const skipping = Allowance.make(drained);
  const stderr = Allowance.make(logged);
  const seen = { skipped: 0, messages: 0 };
  const expected = new Set<RequestId>();
  let units = 0;
  let limit = lineBytes;

  const isExpected = (message: JSONRPCMessage) =>
    !("method" in message) && message.id !== undefined && expected.delete(message.id);

  const receive = (line: string) => {
    const messages = messagesOf(line);
    if (messages.length === 0) seen.skipped += line.trim() === "" ? 0 : 1;
    seen.messages += messages.length;
    const isAsked = messages.map(isExpected).includes(true);
    if (!isAsked) units += line.length + unitsPerLine + messages.length * unitsPerMessage;
    for (const message of messages) inOrder(message);
  };

  const skip = ({ bytes, responseId }: Oversized) => {
    if (responseId === undefined || !expected.delete(responseId)) {
      seen.skipped += 1;
      units += maxMessageBytes;
      return;
    }
    seen.messages += 1;
    inOrder(Failure.tooLarge(responseId, bytes, limit));
  };
  const lines = new Lines(() => limit, { line: receive, oversized: skip });

  const read = Effect.fnUntraced(function* (chunk: Uint8Array) {
    let skipped = 0;
    // A chunk within a line contains no message. Slicing it raised other requests' p99 from 9 to 18
    // ms during a line of 40 MB; reading it whole, to 13 ms.
    const step = chunk.includes(newline) ? sliceBytes : chunk.length;
    for (let from = 0; from < chunk.length; from += step) {
      units = 0;
      const slice = chunk.subarray(from, from + step);
      lines.push(slice);
      if (lines.isSkipping) skipped += slice.length;
      if (units === 0) continue;
      if (!(yield* stdout.take(units))) return false;
      yield* Effect.yieldNow;
    }
    if (skipped === 0) return true;
    return yield* (expected.size > 0 ? skipping : stdout).take(skipped);
  });

  return {
    read,
    pace: ({ length }) => Effect.asVoid(stderr.take(length)),
    note: (message) => {
      if ("method" in message && "id" in message) expected.add(message.id);
      const cancelled = cancelledBy(message);
      if (cancelled !== undefined) expected.delete(cancelled);
    },
    expectResult: (bytes) => {
      limit = Math.min(maxMessageBytes, Math.max(limit, 2 * bytes));
    },
    seen,
  };
};
