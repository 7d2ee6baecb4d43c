import type {
  CatalogEntry,
  CatalogEntrySummary,
  InstalledServer,
  ServerTool,
} from "@quartermaster/client";
import { Effect, Option } from "effect";
import * as Api from "../Api.ts";
import { CommandError } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import * as Lists from "../Lists.ts";
import * as Look from "../Look.ts";
import * as Output from "../Output.ts";

/** Commands that read the catalog, the installed servers, their tools and calls. */

export interface OfServer extends Connection.ResultFlags {
  /** The id or name of a server. */
  readonly server: string;
}

const isId = (server: string) => /^mcp_[0-9A-Z]{26}$/.test(server);

/** Resolves a name or id to the id of an installed server. Only ids have underscores. */
export const idOf = Effect.fnUntraced(function* (access: Api.Access, server: string) {
  if (isId(server)) return server;
  const servers = yield* Api.call(access, (client, options) => client.servers.list({}, options));
  const named = servers.find(({ name }) => name === server);
  if (named !== undefined) return named.id;
  return yield* new CommandError({
    kind: "notFound",
    message: `No server is called ${JSON.stringify(server)}. \`quartermaster server list\` prints their names.`,
    problem: null,
    retryAfterSeconds: null,
  });
});

const entryLines = (entry: CatalogEntry): ReadonlyArray<string> => [
  Output.cell(`${entry.id}  ${entry.name}  ${entry.category}  ${entry.transport}`),
  Output.multiline(entry.description),
  ...(entry.installInstructions === "" ? [] : ["", Output.multiline(entry.installInstructions)]),
  ...(entry.envVars ?? []).map(({ default: value, description, name, required }) => {
    const isNeeded = required ? "required" : `default ${value ?? "none"}`;
    return Output.cell(`${name} (${isNeeded})  ${description}`);
  }),
];

export const catalog = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly entry: Option.Option<string>;
    readonly category: Option.Option<CatalogEntrySummary["category"]>;
    readonly limit: number;
  },
) {
  const access = yield* Connection.open(flags);
  if (Option.isSome(flags.entry)) {
    const entryId = flags.entry.value;
    const entry = yield* Api.call(access, (client, options) =>
      client.catalog.get({ entryId }, options),
    );
    return yield* Output.one(flags.json, entry, entryLines(entry));
  }
  const category = Option.getOrUndefined(flags.category);
  const all = yield* Api.call(access, (client, options) =>
    client.catalog.list({ category }, options),
  );
  const entries = all.slice(0, flags.limit);
  yield* Output.list(
    flags.json,
    entries,
    ["ID", "CATEGORY", "TRANSPORT", "RUNTIME", "DESCRIPTION"],
    entries.map(({ category, description, id, runtime, transport }) => [
      id,
      category,
      transport,
      runtime,
      description,
    ]),
  );
});

const outageOf = (look: Look.Look, { outage }: InstalledServer): string => {
  if (outage === null) return "";
  const { retryAt, since } = outage;
  const next =
    retryAt === null ? "verify or enable it" : `next attempt ${Look.time(look, retryAt)}`;
  return `down since ${Look.time(look, since)}, ${next}`;
};

/** The reasons why agents cannot use all of the server's tools. */
const noteOf = (look: Look.Look, server: InstalledServer): string =>
  [
    outageOf(look, server),
    server.toolsChanged ? "tools changed" : "",
    server.updateAvailable ? "update available" : "",
  ]
    .filter((note) => note !== "")
    .join(", ");

export const list = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & { readonly limit: number },
) {
  const access = yield* Connection.open(flags);
  const all = yield* Api.call(access, (client, options) => client.servers.list({}, options));
  const servers = all.slice(0, flags.limit);
  yield* Output.list(
    flags.json,
    servers,
    ["NAME", "STATUS", "ENTRY", "VERSION", "NOTE", "ID"],
    servers.map((server) => [
      server.name,
      Output.state(server.status),
      server.catalogId,
      server.version,
      { draw: (look) => noteOf(look, server) },
      server.id,
    ]),
  );
});

/** A table row: the tool or prompt with its state and description. */
export const toolRow = ({ accepted, current, kind, name, state }: ServerTool) => {
  const description = (current ?? accepted)?.["description"];
  return [
    kind === "tool" ? name : `${name} (prompt)`,
    Output.state(state),
    typeof description === "string" ? description : "",
  ];
};

export const tools = Effect.fnUntraced(function* (flags: OfServer & { readonly limit: number }) {
  const access = yield* Connection.open(flags);
  const serverId = yield* idOf(access, flags.server);
  const all = yield* Api.call(access, (client, options) =>
    client.servers.tools({ serverId }, options),
  );
  const tools = all.slice(0, flags.limit);
  const hasEffects = all.some(({ once }) => once);
  yield* Output.list(
    flags.json,
    tools,
    ["NAME", "STATE", "DESCRIPTION", ...(hasEffects ? ["ONCE"] : [])],
    tools.map((tool) => [...toolRow(tool), ...(hasEffects ? [tool.once ? "once" : ""] : [])]),
  );
});

export const calls = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly name: Option.Option<string>;
    readonly server: Option.Option<string>;
    readonly agent: Option.Option<string>;
    readonly limit: number;
  },
) {
  const access = yield* Connection.open(flags);
  const { limit } = flags;
  const server = Option.orElse(flags.name, () => flags.server);
  const serverId = Option.isSome(server) ? yield* idOf(access, server.value) : undefined;
  const agentId = Option.getOrUndefined(flags.agent);
  const calls = yield* Lists.take(access, limit, (client, options) =>
    client.tools.calls({ serverId, agentId, limit: Lists.pageSize(limit) }, options),
  );
  yield* Output.list(
    flags.json,
    calls,
    ["TIME", "AGENT", "SERVER", "TOOL", "OUTCOME", "MS", "ERROR"],
    calls.map(({ agentId, durationMs, error, outcome, server, startedAt, tool }) => [
      Output.time(startedAt),
      agentId,
      server,
      tool,
      Output.state(outcome ?? "running"),
      durationMs,
      error,
    ]),
  );
});
