import type { JSONRPCMessage } from "@modelcontextprotocol/client";

/**
 * Hands messages on in their order. The SDK looks at a notification a moment later than at an
 * answer, so that the last progress would be lost behind the answer that follows at once: what
 * comes after a notification waits that moment.
 */
export const make = (deliver: (message: JSONRPCMessage) => void) => {
  let waiting: Array<JSONRPCMessage> = [];
  let next = 0;
  let paused = false;

  /** Whether what follows may be handed on at once. */
  const hand = (message: JSONRPCMessage): boolean => {
    deliver(message);
    if (!("method" in message) || "id" in message) return true;
    paused = true;
    queueMicrotask(resume);
    return false;
  };

  const resume = () => {
    paused = false;
    while (next < waiting.length) {
      const message = waiting[next] as JSONRPCMessage;
      next += 1;
      if (!hand(message)) return;
    }
    waiting = [];
    next = 0;
  };

  return (message: JSONRPCMessage): void => {
    if (paused) waiting.push(message);
    else hand(message);
  };
};
