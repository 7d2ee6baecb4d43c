import type {
  AccessEntry,
  AccessUpdate,
  CallOptions,
  Client,
  InstalledServer,
} from "@quartermaster/client";
import { Effect, Option } from "effect";
import * as Api from "../Api.ts";
import { CommandError, usage } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import * as Input from "../Input.ts";
import * as Output from "../Output.ts";
import * as Progress from "./Progress.ts";
import { idOf, type OfServer } from "./ServerReads.ts";
import * as Settings from "./Settings.ts";
import * as Values from "./Values.ts";

/** Commands that install, change and remove servers, and commands that change access. */

/** Milliseconds for a verify, which may first fetch a package. */
const verifyMillis = 600_000;

const line = ({ id, name, status }: InstalledServer): string =>
  Output.cell(`${id} ${name} ${status}`);

export const install = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags &
    Values.Flags &
    Settings.Flags & { readonly entry: string; readonly name: Option.Option<string> },
) {
  const values = yield* Values.read(flags);
  const access = yield* Connection.open(flags);
  const server = yield* Api.call(access, (client, options) =>
    client.servers.install(
      {
        catalogId: flags.entry,
        name: Option.getOrUndefined(flags.name),
        envValues: Values.revealed(values),
        ...Settings.of(flags),
      },
      options,
    ),
  );
  // Prints only the id, for scripts such as `SERVER=$(quartermaster server install ...)`.
  yield* Output.one(flags.json, server, [server.id]);
});

export const update = Effect.fnUntraced(function* (
  flags: OfServer &
    Values.Flags &
    Settings.Flags & {
      readonly name: Option.Option<string>;
      readonly unset: ReadonlyArray<string>;
      readonly toCatalog: boolean;
    },
) {
  const unset = Object.fromEntries(flags.unset.map((name) => [name, null]));
  const values = { ...(yield* Values.read(flags)), ...unset };
  const change = {
    name: Option.getOrUndefined(flags.name),
    envValues: Values.revealed(values),
    ...Settings.of(flags),
    version: flags.toCatalog ? ("catalog" as const) : undefined,
  };
  if (Object.values(change).every((value) => value === undefined)) {
    return yield* usage("Name at least one change, such as --env TOKEN.");
  }
  const access = yield* Connection.open(flags);
  const serverId = yield* idOf(access, flags.server);
  const server = yield* Progress.during(
    access,
    serverId,
    Api.call(access, (client, options) => client.servers.update({ serverId, ...change }, options), {
      timeoutMillis: verifyMillis,
    }),
  );
  yield* Output.one(flags.json, server, [line(server)]);
});

export const verify = Effect.fnUntraced(function* (flags: OfServer) {
  const access = yield* Connection.open(flags);
  const serverId = yield* idOf(access, flags.server);
  const result = yield* Progress.during(
    access,
    serverId,
    Api.call(access, (client, options) => client.servers.verify({ serverId }, options), {
      timeoutMillis: verifyMillis,
    }),
  );
  if (result.status === "ok" || flags.json) {
    const tools = (result.capabilities ?? []).map((name) => Output.cell(name));
    yield* Output.one(flags.json, result, [Output.cell(result.details), ...tools]);
  }
  if (result.status === "ok") return;
  return yield* new CommandError({
    kind: "refused",
    message: `${flags.server} could not be verified: ${Output.multiline(result.details)}`,
    problem: null,
    retryAfterSeconds: null,
  });
});

/** Makes a change that returns nothing, then reads and prints the server. */
const changed = (
  change: (client: Client, serverId: string, options: CallOptions) => Promise<unknown>,
) =>
  Effect.fnUntraced(function* (flags: OfServer) {
    const access = yield* Connection.open(flags);
    const serverId = yield* idOf(access, flags.server);
    const server = yield* Api.call(
      access,
      async (client, options) => {
        await change(client, serverId, options);
        return client.servers.get({ serverId }, options);
      },
      { timeoutMillis: verifyMillis },
    );
    yield* Output.one(flags.json, server, [line(server)]);
  });

export const enable = changed((client, serverId, options) =>
  client.servers.enable({ serverId }, options),
);

export const disable = changed((client, serverId, options) =>
  client.servers.disable({ serverId }, options),
);

export const uninstall = Effect.fnUntraced(function* (flags: OfServer & { readonly yes: boolean }) {
  if (!flags.yes) {
    return yield* usage(
      "Uninstalling removes the server's secrets and access. Confirm with --yes.",
    );
  }
  const access = yield* Connection.open(flags);
  const serverId = yield* idOf(access, flags.server);
  yield* Api.call(access, (client, options) => client.servers.uninstall({ serverId }, options));
  yield* Output.one(flags.json, { deleted: serverId }, []);
});

const describe = ({ callsPerMinute, maxConcurrentCalls, readOnly, tools }: AccessEntry): string =>
  [
    `${tools?.join(", ") ?? "all tools"}${readOnly ? " that only read" : ""}`,
    ...(callsPerMinute === null ? [] : [`${callsPerMinute} calls per minute`]),
    ...(maxConcurrentCalls === null ? [] : [`${maxConcurrentCalls} in flight`]),
  ].join("; ");

const setAccess = Effect.fnUntraced(function* (
  flags: OfServer & { readonly agent: string },
  access: Omit<AccessUpdate["entries"][number], "agentId">,
) {
  const server = yield* Connection.open(flags);
  const serverId = yield* idOf(server, flags.server);
  const entries = yield* Api.call(server, (client, options) =>
    client.servers.putAccess({ serverId, entries: [{ agentId: flags.agent, ...access }] }, options),
  );
  const entry = entries.find(({ agentId }) => agentId === flags.agent) ?? null;
  const granted = entry === null ? "" : describe(entry);
  yield* Output.one(flags.json, entry, [
    Output.cell(`${flags.agent} ${access.granted ? `granted: ${granted}` : "revoked"}`),
  ]);
});

/** The limit in a flag; 0 becomes null, which means no limit. */
const limitOf = (flag: Option.Option<number>) =>
  Option.getOrUndefined(Option.map(flag, (limit) => (limit === 0 ? null : limit)));

export const grant = (
  flags: OfServer & {
    readonly agent: string;
    readonly tool: ReadonlyArray<string>;
    readonly allTools: boolean;
    readonly readOnly: Option.Option<boolean>;
    readonly callsPerMinute: Option.Option<number>;
    readonly concurrency: Option.Option<number>;
  },
) => {
  const { allTools, tool } = flags;
  if (allTools && tool.length > 0) return Effect.fail(usage("Use either --tool or --all-tools."));
  const chosen = tool.length > 0 ? tool : undefined;
  return setAccess(flags, {
    granted: true,
    tools: allTools ? null : chosen,
    readOnly: Option.getOrUndefined(flags.readOnly),
    callsPerMinute: limitOf(flags.callsPerMinute),
    maxConcurrentCalls: limitOf(flags.concurrency),
  });
};

export const revoke = (flags: OfServer & { readonly agent: string }) =>
  setAccess(flags, { granted: false });

/** Prints the authorization URL, which a person has to open in a browser. */
export const authorize = Effect.fnUntraced(function* (flags: OfServer) {
  const access = yield* Connection.open(flags);
  const serverId = yield* idOf(access, flags.server);
  const authorization = yield* Api.call(access, (client, options) =>
    client.authorization.begin({ serverId }, options),
  );
  yield* Output.one(flags.json, authorization, [Output.cell(authorization.url)]);
});

/** The body of the request: a `server.json`, or only the servers of a client configuration. */
const importOf = (content: Input.JsonObject) => {
  const { mcp_servers, mcpServers, name, servers, version } = content;
  if (typeof name === "string" && typeof version === "string") {
    return Effect.succeed({ ...content, name, version });
  }
  const named = mcpServers ?? servers ?? mcp_servers;
  return typeof named === "object" && named !== null
    ? Effect.succeed({ mcpServers: { ...named } })
    : Effect.fail(
        usage(
          "The configuration has no mcpServers, servers or mcp_servers, and is not a server.json.",
        ),
      );
};

/** Installs the servers of a client configuration, or creates the catalog entry of a `server.json`. */
export const importFrom = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & { readonly file: string },
) {
  const text = yield* Input.file("The argument", flags.file);
  const document = yield* importOf(yield* Input.jsonOrToml("The configuration", text));
  const access = yield* Connection.open(flags);
  const results = yield* Api.call(
    access,
    (client, options) => client.servers.import(document, options),
    { timeoutMillis: verifyMillis },
  );
  yield* Output.list(
    flags.json,
    results,
    ["NAME", "STATUS", "ID", "REASON"],
    results.map(({ catalogId, details, name, server, status }) => [
      name,
      status,
      server?.id ?? catalogId,
      details,
    ]),
  );
});
