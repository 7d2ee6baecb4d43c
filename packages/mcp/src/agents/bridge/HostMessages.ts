import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  parseJSONRPCMessage,
} from "@modelcontextprotocol/client";

/** The input from the host: one JSON-RPC message or one batch of messages per line. */

export type Id = JSONRPCRequest["id"];

/** The messages of a line; null stands for a value that is not JSON-RPC. */
export const parse = (line: string): ReadonlyArray<JSONRPCMessage | null> => {
  try {
    const value: unknown = JSON.parse(line);
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

/** A call of a tool in the name of the worker, unless the host names one itself. */
export const inNameOf = (worker: string, message: JSONRPCMessage): JSONRPCMessage => {
  if (!isJSONRPCRequest(message) || message.method !== "tools/call") return message;
  const { params = {} } = message;
  return {
    ...message,
    params: { ...params, _meta: { "quartermaster/worker": worker, ...params._meta } },
  };
};
