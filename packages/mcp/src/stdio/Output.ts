import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";
import { Effect } from "effect";
import { maxMessageBytes } from "../protocol/Limits.ts";
import * as Allowance from "./Allowance.ts";
import * as InOrder from "./InOrder.ts";
import { messagesOf } from "./JsonRpc.ts";
import { Lines } from "./Lines.ts";

/**
 * Units besides the bytes of a line: what the line costs, in bytes of one long line. A message costs
 * about 0.2 ms in the SDK.
 */
const unitsPerLine = 256;
const unitsPerMessage = 2_048;

/** What a program may write unasked: 8 MiB at once, 1 MiB per second, and no more after 5 seconds. */
const unasked = { burst: 8 * 1024 * 1024, perSecond: 1024 * 1024, patienceMillis: 5_000 };

/** Bytes that are read without a turn for others, where nobody asked for them: about 10 ms. */
const sliceBytes = 4 * 1024;

/** Bytes per second that are read of stderr. A program that writes more waits in its writes. */
const stderrRate = {
  burst: 16 * 1024 * 1024,
  perSecond: 16 * 1024 * 1024,
  patienceMillis: Number.POSITIVE_INFINITY,
};

/** Why reading stopped: a message is too large, or the program writes too much that nobody asked for. */
export type Excess = "message" | "flood";

/**
 * What a program writes. Answers to requests are read as fast as they come, since requests bound them.
 * All else is read by an allowance: lines that are not messages, notifications, requests, and answers
 * to nothing.
 */
export interface Output {
  /** Reads a chunk of stdout. Returns why no more should be read. */
  readonly read: (chunk: Uint8Array) => Effect.Effect<Excess | null>;
  /** Reads a chunk of stderr: pauses when it comes too fast. */
  readonly pace: (chunk: Uint8Array) => Effect.Effect<void>;
  /** Notes a message that was sent: a request expects an answer, until it is cancelled. */
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
      if (!("method" in message)) return;
      if ("id" in message) expected.add(message.id);
      else if (message.method === "notifications/cancelled") {
        expected.delete(message.params?.["requestId"] as RequestId);
      }
    },
    seen,
  };
};
