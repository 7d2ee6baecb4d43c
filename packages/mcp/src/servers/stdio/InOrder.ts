import type { JSONRPCMessage } from "@modelcontextprotocol/client";

/**
 * Delivers messages in order. The SDK handles a notification one microtask later than a response,
 * so a response right after the last progress notification would overtake it. Messages after a
 * notification wait for that microtask.
 */
export const make = (deliver: (message: JSONRPCMessage) => void) => {
  let waiting: Array<JSONRPCMessage> = [];
  let next = 0;
  let paused = false;

  /** Delivers a message. Returns whether the next one may follow immediately. */
  const hand = (message: JSONRPCMessage): boolean => {
    deliver(message);
    if (!("method" in message) || "id" in message) return true;
    paused = true;
    queueMicrotask(resume);
    return false;
  };

  const resume = () => {
    paused = false;
    for (let message = waiting[next]; message !== undefined; message = waiting[next]) {
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
