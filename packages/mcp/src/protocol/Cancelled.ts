import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";

/** The request that a message cancels. Undefined for any other message, and for an invalid id. */
export const cancelledBy = (message: JSONRPCMessage): RequestId | undefined => {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id = message.params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
};
