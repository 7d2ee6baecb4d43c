import {
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
  type InitializeRequest,
} from "@modelcontextprotocol/server";
import type { AgentSessions } from "@quartermaster/core";
import { Predicate } from "effect";

/**
 * A session id encodes the part of `initialize` that the endpoint uses, so that any node can
 * rebuild the session. It omits the client's name and version, which the endpoint does not use.
 */

type Carried = Omit<AgentSessions.AgentSession, "keyId">;

/** The capabilities that a client may declare, one letter each. */
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

/** The encoded part: the negotiated protocol version, and the capabilities as letters. */
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

/** Whether this version of the service still has sessions for the protocol version. */
export const isServed = (protocolVersion: string): boolean =>
  SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion);

/** The name of the client of a session that was rebuilt: its id has no room for the name. */
export const unknownClient = "unknown";

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
      clientInfo: { name: unknownClient, version: "0" },
    },
  };
};
