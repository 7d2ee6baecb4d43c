import type { JSONRPCMessage } from "@modelcontextprotocol/client";

/**
 * Hands messages on in their order. The SDK looks at a notification a moment later than at an
 * answer, so that the last progress would be lost behind the answer that follows at once: what
 * comes after a notification waits that moment.
 */
export const make = (deliver: (message: JSONRPCMessage) => void) => {
  let waiting: Array<JSONRPCMessage> = [];
  let paused = false;

  const push = (message: JSONRPCMessage): void => {
    if (paused) {
      waiting.push(message);
      return;
    }
    deliver(message);
    if ("method" in message && !("id" in message)) {
      paused = true;
      queueMicrotask(resume);
    }
  };

  const resume = () => {
    paused = false;
    const messages = waiting;
    waiting = [];
    for (const message of messages) push(message);
  };

  return push;
};
