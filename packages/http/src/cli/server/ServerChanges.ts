import type { CallOptions, Client, InstalledServer } from "@quartermaster/client";
import { Effect, Option } from "effect";
import * as Api from "../Api.ts";
import { CommandError, usage } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import * as Input from "../Input.ts";
import * as Output from "../Output.ts";
import { idOf, type OfServer } from "./Servers.ts";
import * as Values from "./Values.ts";

/** What installs, changes and removes servers, and who may use them. */

/** A verify may fetch a package first. */
const verifyMillis = 600_000;

const line = ({ id, name, status }: InstalledServer): string =>
  Output.cell(`${id} ${name} ${status}`);

export const install = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags &
    Values.Flags & { readonly entry: string; readonly name: Option.Option<string> },
) {
  const values = yield* Values.read(flags);
  const access = yield* Connection.open(flags);
  const server = yield* Api.call(access, (client, options) =>
    client.servers.install(
      {
        catalogId: flags.entry,
        name: Option.getOrUndefined(flags.name),
        envValues: Values.revealed(values),
      },
      options,
    ),
  );
  // Only the id: for scripts such as `SERVER=$(quartermaster server install ...)`.
  yield* Output.one(flags.json, server, [server.id]);
});

export const update = Effect.fnUntraced(function* (
  flags: OfServer &
    Values.Flags & {
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
    version: flags.toCatalog ? ("catalog" as const) : undefined,
  };
  if (Object.values(change).every((value) => value === undefined)) {
    return yield* usage("Name at least one change, such as --env TOKEN.");
  }
  const access = yield* Connection.open(flags);
  const serverId = yield* idOf(access, flags.server);
  const server = yield* Api.call(
    access,
    (client, options) => client.servers.update({ serverId, ...change }, options),
    { timeoutMillis: verifyMillis },
  );
  yield* Output.one(flags.json, server, [line(server)]);
});

const verified = (accept: boolean) =>
  Effect.fnUntraced(function* (flags: OfServer) {
    const access = yield* Connection.open(flags);
    const serverId = yield* idOf(access, flags.server);
    const result = yield* Api.call(
      access,
      (client, options) =>
        client.servers.verify({ serverId, accept: accept ? true : undefined }, options),
      { timeoutMillis: verifyMillis },
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

export const verify = verified(false);

/** Accepts the tools as the server lists them now. */
export const accept = verified(true);

/** A change without a result: prints the server as it is afterwards. */
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

/** Changes which tools are blocked, and prints the named ones. */
const setBlocked = (
  change: (
    client: Client,
    names: { readonly serverId: string; readonly names: ReadonlyArray<string> },
    options: CallOptions,
  ) => ReturnType<Client["servers"]["blockTools"]>,
) =>
  Effect.fnUntraced(function* (flags: OfServer & { readonly tools: ReadonlyArray<string> }) {
    const access = yield* Connection.open(flags);
    const serverId = yield* idOf(access, flags.server);
    const all = yield* Api.call(access, (client, options) =>
      change(client, { serverId, names: flags.tools }, options),
    );
    const named = all.filter(({ name }) => flags.tools.includes(name));
    yield* Output.list(
      flags.json,
      named,
      ["NAME", "STATE"],
      named.map(({ name, state }) => [name, state]),
    );
  });

export const block = setBlocked((client, names, options) =>
  client.servers.blockTools(names, options),
);

export const unblock = setBlocked((client, names, options) =>
  client.servers.unblockTools(names, options),
);

export const uninstall = Effect.fnUntraced(function* (flags: OfServer & { readonly yes: boolean }) {
  if (!flags.yes) {
    return yield* usage(
      "An uninstall removes the server's secrets and access. Confirm with --yes.",
    );
  }
  const access = yield* Connection.open(flags);
  const serverId = yield* idOf(access, flags.server);
  yield* Api.call(access, (client, options) => client.servers.uninstall({ serverId }, options));
  yield* Output.one(flags.json, { uninstalled: serverId }, []);
});

const setAccess = Effect.fnUntraced(function* (
  flags: OfServer & { readonly agent: string },
  access: { readonly granted: boolean; readonly tools?: ReadonlyArray<string> | null | undefined },
) {
  const server = yield* Connection.open(flags);
  const serverId = yield* idOf(server, flags.server);
  const entries = yield* Api.call(server, (client, options) =>
    client.servers.putAccess({ serverId, entries: [{ agentId: flags.agent, ...access }] }, options),
  );
  const entry = entries.find(({ agentId }) => agentId === flags.agent) ?? null;
  const tools = entry?.tools?.join(", ") ?? "all tools";
  yield* Output.one(flags.json, entry, [
    Output.cell(`${flags.agent} ${access.granted ? `granted: ${tools}` : "revoked"}`),
  ]);
});

export const grant = (
  flags: OfServer & {
    readonly agent: string;
    readonly tool: ReadonlyArray<string>;
    readonly allTools: boolean;
  },
) => {
  const { allTools, tool } = flags;
  if (allTools && tool.length > 0) return Effect.fail(usage("Use either --tool or --all-tools."));
  const chosen = tool.length > 0 ? tool : undefined;
  return setAccess(flags, { granted: true, tools: allTools ? null : chosen });
};

export const revoke = (flags: OfServer & { readonly agent: string }) =>
  setAccess(flags, { granted: false });

/** Prints the URL that a person has to open in a browser. */
export const authorize = Effect.fnUntraced(function* (flags: OfServer) {
  const access = yield* Connection.open(flags);
  const serverId = yield* idOf(access, flags.server);
  const authorization = yield* Api.call(access, (client, options) =>
    client.authorization.begin({ serverId }, options),
  );
  yield* Output.one(flags.json, authorization, [Output.cell(authorization.url)]);
});

/** Installs the servers of a client's configuration. Its other settings stay on this machine. */
export const importFrom = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & { readonly file: string },
) {
  const text = yield* Input.file("The argument", flags.file);
  const { mcpServers, servers } = yield* Input.jsonObject("The configuration", text);
  const named = mcpServers ?? servers;
  if (typeof named !== "object" || named === null) {
    return yield* usage("The configuration has neither mcpServers nor servers.");
  }
  const access = yield* Connection.open(flags);
  const results = yield* Api.call(
    access,
    (client, options) =>
      client.servers.import(
        mcpServers === undefined ? { servers: { ...named } } : { mcpServers: { ...named } },
        options,
      ),
    { timeoutMillis: verifyMillis },
  );
  yield* Output.list(
    flags.json,
    results,
    ["NAME", "STATUS", "SERVER", "REASON"],
    results.map(({ details, name, server, status }) => [name, status, server?.id, details]),
  );
});
