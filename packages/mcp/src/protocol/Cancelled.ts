import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";

/** The id of the request that a message cancels; undefined for other messages and invalid ids. */
export const cancelledBy = (message: JSONRPCMessage): RequestId | undefined => {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id = message.params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
};
