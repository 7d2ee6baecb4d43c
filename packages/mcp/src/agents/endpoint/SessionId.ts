import {
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
  type InitializeRequest,
} from "@modelcontextprotocol/server";
import type { AgentSessions } from "@quartermaster/core";
import { Predicate } from "effect";

/**
 * The part of `initialize` that the id of a session carries, and an `initialize` that starts the
 * same session again. Name and version of the client are not carried: the endpoint does not use
 * them.
 */

type Carried = Omit<AgentSessions.AgentSession, "keyId">;

/** The capabilities that a client may offer to a server, each as a letter. */
const letters: ReadonlyArray<readonly [letter: string, path: ReadonlyArray<string>]> = [
  ["e", ["elicitation"]],
  ["u", ["elicitation", "url"]],
  ["r", ["roots"]],
  ["s", ["sampling"]],
];

const at = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce(
    (inner, name) => (Predicate.isReadonlyObject(inner) ? inner[name] : undefined),
    value,
  );

/** The protocol version that the server negotiates, and the capabilities as letters. */
export const carriedBy = ({
  capabilities,
  protocolVersion,
}: InitializeRequest["params"]): Carried => ({
  protocolVersion: isServed(protocolVersion) ? protocolVersion : LATEST_PROTOCOL_VERSION,
  capabilities: letters
    .filter(([, path]) => at(capabilities, path) !== undefined)
    .map(([letter]) => letter)
    .join(""),
});

/** Whether this version of the service still serves sessions of that protocol version. */
export const isServed = (protocolVersion: string): boolean =>
  SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion);

export const initializeOf = ({ capabilities, protocolVersion }: Carried) => {
  const has = (letter: string) => capabilities.includes(letter);
  return {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: {
      protocolVersion,
      capabilities: {
        ...(has("e") ? { elicitation: { form: {}, ...(has("u") ? { url: {} } : {}) } } : {}),
        ...(has("r") ? { roots: {} } : {}),
        ...(has("s") ? { sampling: {} } : {}),
      },
      clientInfo: { name: "unknown", version: "0" },
    },
  };
};
