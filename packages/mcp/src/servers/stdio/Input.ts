import { Buffer } from "node:buffer";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { Effect, Queue, Stream } from "effect";
import { TransportFailure } from "../session/Failure.ts";

/**
 * The maximum number of characters buffered behind a pending write. Without the limit, everything
 * that is sent to a program that does not read would stay in memory.
 */
const maxWaiting = 16 * 1024 * 1024;

/** The stdin of a program: one message per line. */
export interface Input {
  readonly bytes: Stream.Stream<Uint8Array>;
  /** Sends a message. Throws `TransportFailure` if the program does not read. */
  readonly send: (message: JSONRPCMessage) => void;
}

export const make: Effect.Effect<Input> = Effect.gen(function* () {
  const outgoing = yield* Queue.unbounded<string>();
  let waiting = 0;
  const written = Effect.map(Queue.takeAll(outgoing), (lines) => {
    waiting = 0;
    return Buffer.from(lines.join(""));
  });
  return {
    bytes: Stream.fromEffectRepeat(written),
    send: (message) => {
      // Notifications pass: they are small, and each request that passed has at most one.
      if ("id" in message && waiting >= maxWaiting) {
        throw new TransportFailure("unreachable", "The server does not read its input.", false);
      }
      const line = `${JSON.stringify(message)}\n`;
      waiting += line.length;
      Queue.offerUnsafe(outgoing, line);
    },
  };
});
