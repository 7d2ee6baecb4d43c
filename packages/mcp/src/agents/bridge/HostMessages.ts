import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  parseJSONRPCMessage,
} from "@modelcontextprotocol/client";
import { ExactNumbers } from "@quartermaster/core";

/** Input from the host: one JSON-RPC message or one batch per line. */

export type Id = JSONRPCRequest["id"];

/** Parses a line. Null stands for a value that is not a JSON-RPC message. */
export const parse = (line: string): ReadonlyArray<JSONRPCMessage | null> => {
  try {
    const value = ExactNumbers.parse(line);
    return (Array.isArray(value) ? value : [value]).map(messageOf);
  } catch {
    return [null];
  }
};

const messageOf = (value: unknown): JSONRPCMessage | null => {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return null;
  }
};

/** Adds the worker to the `_meta` of a tool call, unless the host named a worker. */
export const inNameOf = (worker: string, message: JSONRPCMessage): JSONRPCMessage => {
  if (!isJSONRPCRequest(message) || message.method !== "tools/call") return message;
  const { params = {} } = message;
  return {
    ...message,
    params: { ...params, _meta: { "quartermaster/worker": worker, ...params._meta } },
  };
};
