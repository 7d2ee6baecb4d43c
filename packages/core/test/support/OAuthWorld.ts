import { assert } from "@effect/vitest";
import {
  Authorizations,
  type CatalogEntry,
  McpConnector,
  McpServerStore,
  OAuthClient,
  type Principal,
} from "@quartermaster/core";
import {
  Fixtures,
  ScriptedOAuth,
  type ScriptedServer,
  TestCatalog,
  TestCore,
} from "@quartermaster/testing";
import { Effect, Redacted } from "effect";
import * as McpWorld from "./McpWorld.ts";
import { world } from "./McpWorld.ts";
import * as TestStorage from "./Storage.ts";

/** `test-board`, a remote server that requires OAuth. */

export const host = "board.example";

export const board = (overrides: Partial<CatalogEntry.CatalogEntry> = {}) =>
  Fixtures.entry({
    id: "test-board",
    transport: "http",
    runtime: "none",
    manifest: { url: `https://${host}/mcp`, headers: {} },
    envVars: [],
    ...overrides,
  });

/** The server's entry with an optional token that replaces OAuth. */
const optional = board({
  id: "test-optional",
  manifest: {
    url: `https://${host}/mcp`,
    headers: { Authorization: "Token ${BOARD_TOKEN}", "x-team": "a" },
  },
  envVars: [{ name: "BOARD_TOKEN", description: "", required: false, secret: true, default: null }],
});

export const catalog = TestCore.catalog([...TestCatalog.entries, board(), optional]);

export const layer = TestCore.layerMcpWith({ storage: TestStorage.storage, catalog });

type Services = TestCore.McpServices;

export const check = <A, E>(
  name: string,
  body: Effect.Effect<A, E, Services | Principal.CurrentPrincipal>,
): void => McpWorld.checkIn(layer, name, body);

export const where = { redirectUri: "https://qm.example/oauth/callback", clientId: null };

export const script = ScriptedOAuth.ScriptedOAuth.use(Effect.succeed);

export const begin = (serverId: string) =>
  Authorizations.Authorizations.use((service) => service.begin(serverId, where));

/** Starts an authorization. Returns the state that the browser sends back. */
export const begun = (serverId: string) =>
  Effect.map(begin(serverId), ({ url }) => new URL(url).searchParams.get("state") ?? "");

export const complete = (state: string | null, over: Partial<Authorizations.Callback> = {}) =>
  Authorizations.Authorizations.use((service) =>
    service.complete({ state, code: "code-canary", issuer: null, error: null, ...over }),
  );

export const authorize = (serverId: string) => Effect.flatMap(begun(serverId), (s) => complete(s));

/** The `Authorization` headers of all attempts to connect. */
export const sent = ({ targets }: ScriptedServer.ScriptedServer) =>
  targets.map((target) => {
    if (target.transport === "stdio") return undefined;
    const found = Object.entries(target.headers).find(
      ([name]) => name.toLowerCase() === "authorization",
    );
    return found && Redacted.value(found[1]);
  });

export const secretNames = (serverId: string) =>
  McpServerStore.McpServerStore.use((store) =>
    Effect.map(store.secrets(serverId), (rows) => rows.map(({ name }) => name)),
  );

/** Makes the server accept only these headers. */
export const wants = (
  server: ScriptedServer.ScriptedServer,
  takes: (header: string | undefined) => boolean,
) => {
  server.onConnect = Effect.suspend(() => (takes(sent(server).at(-1)) ? Effect.void : refused));
};

export const refused = Effect.fail(
  new McpConnector.ConnectorError({
    reason: "unauthorized",
    message: "HTTP status 401: it wants authorization.",
    sent: true,
  }),
);

export const failing = (reason: OAuthClient.OAuthFailure["reason"]) =>
  Effect.fail(
    new OAuthClient.OAuthFailure({ reason, message: "issuer.example answered HTTP status 500." }),
  );

/** The server: installed, authorized, enabled and granted, with an open connection. */
export const running: Effect.Effect<
  { readonly id: string; readonly server: ScriptedServer.ScriptedServer },
  unknown,
  Services | Principal.CurrentPrincipal
> = Effect.gen(function* () {
  const server = yield* world.scripted(host);
  server.tools = [Fixtures.definition("move")];
  const { id } = yield* world.install("test-board");
  yield* authorize(id);
  yield* world.verify(id);
  yield* world.enable(id);
  yield* world.grant(id);
  yield* world.idle;
  assert.strictEqual(server.connections, 1);
  return { id, server };
});
