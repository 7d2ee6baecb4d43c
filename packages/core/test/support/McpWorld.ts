import { assert, it } from "@effect/vitest";
import {
  Agents,
  EventStore,
  type InstalledServer,
  McpServers,
  Principal,
  ToolGateway,
} from "@quartermaster/core";
import {
  Callers,
  Fixtures,
  ScriptedConnector,
  type ScriptedServer,
  type TestCore,
} from "@quartermaster/testing";
import { Effect, type Layer } from "effect";
import { TestClock } from "effect/testing";
import * as TestStorage from "./Storage.ts";

/** What tests of MCP servers begin with: the services over scripted servers, and calls by an Admin. */

export const admin = Principal.user("root", "Admin");
export const secret = "s3cr3t/value+1";

export type Services = TestCore.McpServices;

export const checkIn = <A, E, E2>(
  layer: Layer.Layer<Services, E2>,
  name: string,
  body: Effect.Effect<A, E, Services | Principal.CurrentPrincipal>,
): void => it.effect(name, () => body.pipe(Callers.as(admin), Effect.provide(layer)));

/** A test of the services. What it asks, an Admin asks, unless it says `as`. */
export const check = <A, E>(
  name: string,
  body: Effect.Effect<A, E, Services | Principal.CurrentPrincipal>,
): void => checkIn(TestStorage.layerMcp, name, body);

/** Hashes are made by other threads, late on a busy machine: one that is asked for now comes after them. */
const turn = Effect.promise(async () => {
  await crypto.subtle.digest("SHA-256", new Uint8Array(1));
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
});

/** Lets what is under way in the background come to its next wait. */
export const settle = Effect.repeat(turn, { times: 30 });

/** Waits until it is so; the clock of the test stands still meanwhile. */
export const until = <E, R>(what: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    for (let turns = 0; turns < 20_000; turns++) {
      if (yield* what) return;
      yield* turn;
    }
    return yield* Effect.die("it never came to pass");
  });

export const untilSync = (what: () => boolean) => until(Effect.sync(what));

/** Lets the time pass, and what it sets going. */
export const pass = (duration: Parameters<typeof TestClock.adjust>[0]) =>
  Effect.andThen(settle, Effect.andThen(TestClock.adjust(duration), settle));

export const scripted = (
  address: string,
): Effect.Effect<ScriptedServer.ScriptedServer, never, ScriptedConnector.ScriptedConnector> =>
  ScriptedConnector.ScriptedConnector.use((connector) => Effect.succeed(connector.server(address)));

export const servers = <A, E, R>(
  f: (service: McpServers.McpServers["Service"]) => Effect.Effect<A, E, R>,
) => McpServers.McpServers.use(f);

export const install = (
  catalogId: string,
  envValues: Record<string, string | null> = {},
  name?: string,
) =>
  servers((service) =>
    service.install({ catalogId, envValues, ...(name === undefined ? {} : { name }) }),
  );

export const notes = (name?: string) => install("test-notes", { NOTES_KEY: secret }, name);

export const get = (id: string) => servers((service) => service.get(id));
export const verify = (id: string, accept = false) =>
  servers((service) => service.verify(id, { accept }));
export const enable = (id: string) => servers((service) => service.enable(id));
export const disable = (id: string) => servers((service) => service.disable(id));
export const uninstall = (id: string) => servers((service) => service.uninstall(id));
export const update = (id: string, input: typeof InstalledServer.ServerUpdate.Encoded) =>
  servers((service) => service.update(id, input));
export const statusOf = (id: string) => Effect.map(get(id), ({ status }) => status);
export const states = (id: string) =>
  Effect.map(
    servers((service) => service.tools(id)),
    (tools) => tools.map(({ name, state }) => `${name}: ${state}`),
  );

export const putAccess = (
  id: string,
  ...entries: (typeof InstalledServer.AccessUpdate.Encoded)["entries"][number][]
) => servers((service) => service.putAccess(id, { entries }));

export const grant = (id: string, agentId = "bot", tools?: ReadonlyArray<string> | null) =>
  putAccess(id, { agentId, granted: true, ...(tools === undefined ? {} : { tools }) });

export const revoke = (id: string, agentId = "bot") => putAccess(id, { agentId, granted: false });

export const register = (agentId: string) => Agents.Agents.use((agents) => agents.put(agentId, {}));

export const list = (agentId = "bot") =>
  ToolGateway.ToolGateway.use((gateway) => gateway.list(agentId));
export const names = (agentId = "bot") =>
  Effect.map(list(agentId), ({ tools }) => tools.map(({ name }) => name));
export const revision = (agentId = "bot") => Effect.map(list(agentId), (tools) => tools.revision);

export const call = (
  name: string,
  args: Record<string, unknown> = {},
  options: ToolGateway.CallOptions & { readonly agentId?: string } = {},
) =>
  ToolGateway.ToolGateway.use((gateway) =>
    gateway.call(options.agentId ?? "bot", { name, arguments: args }, options),
  );

/** Why the call cannot be made. */
export const reasonOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => (error as { readonly reason?: string }).reason);

export const records = (query: { agentId?: string; serverId?: string } = {}) =>
  Effect.map(
    ToolGateway.ToolGateway.use((gateway) => gateway.calls(query)),
    ({ items }) => items,
  );

/** The events of MCP servers so far. */
export const events = Effect.gen(function* () {
  const store = yield* EventStore.EventStore;
  const until = yield* store.lastSeq;
  const rows = yield* store.list({ projects: null, kinds: null }, { after: 0, until, limit: 500 });
  return rows.filter(({ kind }) => kind.startsWith("mcp."));
});
export const kinds = Effect.map(events, (rows) => rows.map(({ kind }) => kind));

/** `test-notes`, verified with these tools, enabled, granted to `bot`, its connection open. */
export const running = Effect.fnUntraced(function* (
  tools: ReadonlyArray<string> = ["add"],
  catalogId = "test-notes",
) {
  const server = yield* scripted(catalogId.replace("test-", ""));
  server.tools = tools.map((name) => Fixtures.definition(name));
  const installed = yield* install(
    catalogId,
    catalogId === "test-notes" ? { NOTES_KEY: secret } : {},
  );
  yield* verify(installed.id);
  yield* enable(installed.id);
  yield* grant(installed.id);
  if (catalogId !== "test-sessions") yield* untilSync(() => server.connections === 1);
  yield* settle;
  const answer: { readonly id: string; readonly server: ScriptedServer.ScriptedServer } = {
    id: installed.id,
    server,
  };
  return answer;
});

export const refusal = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => error as { readonly _tag: string } & E);

export const assertTag = <A, E, R>(effect: Effect.Effect<A, E, R>, tag: string) =>
  Effect.map(refusal(effect), (error) => assert.strictEqual(error._tag, tag));
