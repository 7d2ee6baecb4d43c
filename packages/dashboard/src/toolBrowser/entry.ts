import type { ToolState } from "./states.ts";

type Definition = Readonly<Record<string, unknown>>;

/** A tool or prompt of an installed server, or the server's instructions. Users accept all in the same way. */
export interface ToolEntry {
  /** `<server id>/<tool>`, `<server id>#<prompt>`, or the server's id for instructions. */
  readonly id: string;
  readonly kind: "instructions" | "prompt" | "tool";
  readonly serverId: string;
  readonly server: string;
  readonly name: string;
  readonly summary: string;
  readonly state: ToolState;
  /** The reason why the definition is invalid. */
  readonly reason: string | null;
  readonly digest: string | null;
  /** Null for instructions and prompts, which have no separate price. */
  readonly tokens: number | null;
  readonly accepted: Definition | null;
  readonly current: Definition | null;
}

interface Server {
  readonly id: string;
  readonly name: string;
  readonly instructions: {
    readonly state: "accepted" | "changed" | "new" | "gone";
    readonly digest: string;
    readonly accepted: string | null;
    readonly current: string | null;
  } | null;
}

interface Tool {
  readonly kind: "prompt" | "tool";
  readonly name: string;
  readonly state: ToolState;
  readonly reason: string | null;
  readonly digest: string | null;
  readonly tokens: number;
  readonly accepted: Definition | null;
  readonly current: Definition | null;
}

const summaryOf = (definition: Definition | null): string => {
  const text = definition?.["description"] ?? definition?.["title"];
  return typeof text === "string" ? text.slice(0, 400).replaceAll(/\s+/g, " ").trim() : "";
};

const asDefinition = (text: string | null) => (text === null ? null : { instructions: text });

/** The entries of a server: its instructions, then its tools and prompts in their order. */
export const entriesOf = (
  { id: serverId, instructions, name: server }: Server,
  tools: ReadonlyArray<Tool>,
): ReadonlyArray<ToolEntry> => [
  ...(instructions === null
    ? []
    : [
        {
          ...instructions,
          id: serverId,
          kind: "instructions" as const,
          serverId,
          server,
          name: "Instructions",
          summary: (instructions.current ?? instructions.accepted ?? "").replaceAll(/\s+/g, " "),
          reason: null,
          tokens: null,
          accepted: asDefinition(instructions.accepted),
          current: asDefinition(instructions.current),
        },
      ]),
  ...tools.map((tool): ToolEntry => ({
    ...tool,
    id: `${serverId}${tool.kind === "tool" ? "/" : "#"}${tool.name}`,
    tokens: tool.kind === "tool" ? tool.tokens : null,
    serverId,
    server,
    name: tool.name === "" ? "(no name)" : tool.name,
    summary: summaryOf(tool.current ?? tool.accepted),
  })),
];

/** Whether the user can accept the entry. */
export const isAcceptable = ({ digest, state }: ToolEntry): boolean =>
  digest !== null && (state === "new" || state === "changed" || state === "gone");

/** The filter of the tool list. */
export interface ToolFilter {
  readonly q?: string | undefined;
  readonly state?: ToolState | undefined;
  /** A server name; undefined matches every server. */
  readonly server?: string | undefined;
}

const wordsOf = (q: string | undefined) => (q ?? "").toLowerCase().split(/\s+/).filter(Boolean);

/** Whether the entry belongs to the server and contains every word in its names or summary. Ignores the state. */
export const matches = ({ q, server }: ToolFilter) => {
  const words = wordsOf(q);
  return (entry: ToolEntry): boolean => {
    if (server !== undefined && entry.server !== server) return false;
    const text = `${entry.name} ${entry.server} ${entry.summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
};

/** The tool's or prompt's name without the server id. */
export const nameAtServer = ({ id, serverId }: ToolEntry): string => id.slice(serverId.length + 1);

/** The acceptances of these entries, one per server, with their digests. */
export const acceptancesOf = (entries: ReadonlyArray<ToolEntry>) =>
  [...Map.groupBy(entries, ({ serverId }) => serverId)].map(([serverId, ofServer]) => ({
    action: "accept" as const,
    serverId,
    tools: ofServer.flatMap((entry) =>
      entry.kind !== "instructions" && entry.digest !== null
        ? [{ name: nameAtServer(entry), digest: entry.digest }]
        : [],
    ),
    instructions: ofServer.find(({ kind }) => kind === "instructions")?.digest ?? undefined,
  }));

/** Sends a decision about tools of one server. Rejects once the list shows the server's actual state. */
export type Decide = (
  decision:
    | ReturnType<typeof acceptancesOf>[number]
    | {
        readonly action: "block" | "unblock";
        readonly serverId: string;
        readonly names: ReadonlyArray<string>;
      },
) => Promise<unknown>;

/** The first eight digits of a digest, for comparison by eye. */
export const shortDigest = (digest: string): string => digest.slice(0, 8);

const number = new Intl.NumberFormat("en-US");

export const tokensText = (tokens: number): string =>
  tokens === 1 ? "1 token" : `${number.format(tokens)} tokens`;
