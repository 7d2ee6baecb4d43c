import type { ChildProcess } from "node:child_process";
import { Predicate } from "effect";

/**
 * Connections that the parent has handed to a worker and that the worker has not accepted. Node forgets them when the
 * worker is killed: their clients would wait forever. It has no public name for them, so this reads the messages of
 * `node:cluster` to its workers: `seq` numbers one, and `ack` in a reply answers it.
 */

interface Handle {
  close(): void;
}

type Send = (message: unknown, handle?: Handle | null, ...rest: ReadonlyArray<unknown>) => boolean;

/** Follows the connections of a worker. Returns a function that closes all that it has not accepted. */
export const follow = (child: ChildProcess): (() => void) => {
  const pending = new Map<unknown, Handle>();
  const send = child.send.bind(child) as Send;
  child.send = ((message, handle, ...rest) => {
    if (handle != null && Predicate.hasProperty(message, "seq")) {
      pending.set(message.seq, handle);
    }
    return send(message, handle, ...rest);
  }) satisfies Send as ChildProcess["send"];
  child.on("internalMessage" as "message", (message: unknown) => {
    if (Predicate.hasProperty(message, "ack")) pending.delete(message.ack);
  });
  return () => {
    for (const handle of pending.values()) handle.close();
    pending.clear();
  };
};
