import type { AccessEntry } from "../../data/servers/access.ts";

const limitsOf = ({ callsPerMinute, maxConcurrentCalls }: AccessEntry) => [
  ...(callsPerMinute === null ? [] : [`${callsPerMinute}/min`]),
  ...(maxConcurrentCalls === null ? [] : [`${maxConcurrentCalls} in flight`]),
];

/** The tools of a grant, in words. */
export const toolsText = ({ granted, tools }: AccessEntry): string => {
  if (!granted) return "No access";
  if (tools === null) return "All tools";
  return tools.length === 1 ? "1 tool" : `${tools.length} tools`;
};

/** The limits of a grant in words; empty if there are none. */
export const limitsText = (entry: AccessEntry): string =>
  [...(entry.readOnly ? ["read-only"] : []), ...limitsOf(entry)].join(", ");

/**
 * A row of the matrix: an agent with its entry for each server, in the order of the servers. Null until it
 * is loaded.
 */
export interface AccessLine {
  readonly agentId: string;
  readonly entries: ReadonlyArray<AccessEntry | null>;
  /** The tokens that the granted tools of all servers cost the agent's model. */
  readonly tokens: number;
}

/** The rows of the agents whose id contains the text, sorted by id. */
export const matrixOf = (
  servers: ReadonlyArray<{ readonly data: ReadonlyArray<AccessEntry> | null }>,
  q: string,
): ReadonlyArray<AccessLine> => {
  const byAgent = servers.map(
    ({ data }) => new Map((data ?? []).map((entry) => [entry.agentId, entry])),
  );
  const ids = new Set(byAgent.flatMap((entries) => [...entries.keys()]));
  return [...ids]
    .filter((id) => id.toLowerCase().includes(q.trim().toLowerCase()))
    .toSorted()
    .map((agentId) => {
      const entries = byAgent.map((ofServer) => ofServer.get(agentId) ?? null);
      const tokens = entries.reduce((sum, entry) => sum + (entry?.tokens ?? 0), 0);
      return { agentId, entries, tokens };
    });
};
