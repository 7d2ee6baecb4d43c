import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";
import { Effect } from "effect";
import { cancelledBy } from "../protocol/Cancelled.ts";
import { maxMessageBytes } from "../protocol/Limits.ts";
import * as Allowance from "./Allowance.ts";
import * as InOrder from "./InOrder.ts";
import { messagesOf } from "./JsonRpc.ts";
import { Lines } from "./Lines.ts";

/**
 * Units per line in addition to its bytes: what the line costs, in bytes of one long line. A message
 * costs about 0.2 ms in the SDK.
 */
const unitsPerLine = 256;
const unitsPerMessage = 2_048;

/** What a program may write unasked: 8 MiB, then 1 MiB per second, and nothing after 5 seconds at that rate. */
const unasked = { burst: 8 * 1024 * 1024, perSecond: 1024 * 1024, patienceMillis: 5_000 };

/** Unasked bytes that are read without yielding to other work: about 10 ms. */
const sliceBytes = 4 * 1024;

/** Bytes per second that are read of stderr. A program that writes more waits in its writes. */
const stderrRate = {
  burst: 16 * 1024 * 1024,
  perSecond: 16 * 1024 * 1024,
  patienceMillis: Number.POSITIVE_INFINITY,
};

/** Why reading stopped: a message is too large, or the program writes too much unasked. */
export type Excess = "message" | "flood";

/**
 * What a program writes. It is asked for answers to requests, which are read as fast as they come.
 * All else is unasked and read by an allowance: lines that are not messages, notifications, requests,
 * and answers to unknown requests.
 */
export interface Output {
  /** Reads a chunk of stdout. Returns why no more should be read. */
  readonly read: (chunk: Uint8Array) => Effect.Effect<Excess | null>;
  /** Reads a chunk of stderr: pauses when it comes too fast. */
  readonly pace: (chunk: Uint8Array) => Effect.Effect<void>;
  /** Notes a message that was sent: a request expects an answer, until it is canceled. */
  readonly note: (message: JSONRPCMessage) => void;
  /** Lines that were not messages, and messages. */
  readonly seen: { readonly skipped: number; readonly messages: number };
}

export const make = (deliver: (message: JSONRPCMessage) => void): Output => {
  const inOrder = InOrder.make(deliver);
  const lines = new Lines(maxMessageBytes);
  const stdout = Allowance.make(unasked);
  const stderr = Allowance.make(stderrRate);
  const seen = { skipped: 0, messages: 0 };
  const expected = new Set<RequestId>();
  let units = 0;

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

  const read = Effect.fnUntraced(function* (chunk: Uint8Array) {
    for (let from = 0; from < chunk.length; from += sliceBytes) {
      units = 0;
      if (!lines.push(chunk.subarray(from, from + sliceBytes), receive)) return "message" as const;
      if (units === 0) continue;
      if (!(yield* stdout.take(units))) return "flood" as const;
      yield* Effect.yieldNow;
    }
    return null;
  });

  return {
    read,
    pace: ({ length }) => Effect.asVoid(stderr.take(length)),
    note: (message) => {
      if ("method" in message && "id" in message) expected.add(message.id);
      const cancelled = cancelledBy(message);
      if (cancelled !== undefined) expected.delete(cancelled);
    },
    seen,
  };
};
