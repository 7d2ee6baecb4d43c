import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { wellFormed } from "../../protocol/WellFormed.ts";

/** Parses the messages of a line. Returns none if the line is not JSON-RPC. */
export const messagesOf = (line: string): ReadonlyArray<JSONRPCMessage> => {
  if (!/^\s*[[{]/.test(line)) return [];
  try {
    const value: unknown = JSON.parse(line);
    // Only protocol version 2025-03-26 has batches.
    const all = Array.isArray(value) ? value : [value];
    return all.every(isMessage) ? all.map(wellFormed) : [];
  } catch {
    return [];
  }
};

const isMessage = (value: unknown): value is JSONRPCMessage =>
  typeof value === "object" &&
  value !== null &&
  "jsonrpc" in value &&
  value.jsonrpc === "2.0" &&
  ("method" in value || "id" in value || "error" in value);
