// The client that the conformance suite starts: `conformance-client.ts URL`. It treats the server
// at the URL as a deployment does: installs it, opens it with the connector, authorizes if the
// server requires it, and calls every listed tool. Exits with 1 if a step fails.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem";
import * as NodeRuntime from "@effect/platform-node/NodeRuntime";
import {
  Authorizations,
  Catalog,
  CatalogEntries,
  Connections,
  Core,
  MasterKeys,
  McpServers,
  Principal,
  type Tool,
} from "@quartermaster/core";
import { Mcp } from "@quartermaster/mcp";
import { MemoryStorage } from "@quartermaster/testing";
import { Console, Effect, FileSystem, Layer, Redacted, Schema } from "effect";

/** Shorter than the suite's own limit, so that this process shuts down cleanly. */
const limit = "25 seconds";
const timeoutMillis = 10_000;

const url = process.argv.at(-1) ?? "";
/** Facts from the suite that a client cannot discover. */
const { client_id, client_secret } = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");
/** The pre-registered client, in scenarios that have one. */
const registered: Record<string, string> =
  client_id === undefined || client_secret === undefined
    ? {}
    : { OAUTH_CLIENT_ID: client_id, OAUTH_CLIENT_SECRET: client_secret };

class Unmet extends Schema.TaggedError<Unmet>()("Unmet", { message: Schema.String }) {}

/** A value for each argument that the tool requires. */
const argumentsOf = ({ inputSchema }: Tool.ToolDefinition): Readonly<Record<string, unknown>> => {
  const { properties = {}, required = [] } = (inputSchema ?? {}) as {
    readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
    readonly required?: ReadonlyArray<string>;
  };
  const values: Readonly<Record<string, unknown>> = { number: 2, integer: 2, boolean: true };
  return Object.fromEntries(
    required.map((name) => [name, values[properties[name]?.type ?? ""] ?? "text"]),
  );
};

const useTools = Effect.fnUntraced(function* (connection: Connections.GuardedConnection) {
  for (const { definition: tool } of (yield* connection.listTools).tools) {
    if (tool === null) continue;
    const result = yield* connection.callTool(tool.name, argumentsOf(tool), {
      timeoutMillis,
      maxMillis: timeoutMillis,
      maxResultBytes: 1024 * 1024,
    });
    yield* Console.log(`${tool.name}: ${JSON.stringify(result.content)}`);
    if (result.isError === true) return yield* new Unmet({ message: `${tool.name} failed.` });
  }
});

/** Authorizes as an administrator whose browser consents. */
const authorize = Effect.fnUntraced(function* (serverId: string) {
  const authorizations = yield* Authorizations.Authorizations;
  const begun = yield* authorizations.begin(serverId, {
    redirectUri: "http://localhost/oauth/callback",
    clientId: "https://conformance-test.local/client-metadata.json",
  });
  const answer = yield* Effect.tryPromise(() => fetch(begun.url, { redirect: "manual" }));
  const { searchParams } = new URL(answer.headers.get("location") ?? "", begun.url);
  yield* authorizations.complete({
    state: searchParams.get("state"),
    code: searchParams.get("code"),
    issuer: searchParams.get("iss"),
    error: searchParams.get("error"),
  });
  yield* Console.log("authorized");
});

const program = Effect.gen(function* () {
  const connections = yield* Connections.Connections;
  const entry = yield* (yield* CatalogEntries.CatalogEntries).get("conformance");
  const { id } = yield* (yield* McpServers.McpServers).install({
    catalogId: entry.id,
    envValues: registered,
  });
  /**
   * Opens the server and calls its tools. Consents a second time if a call requires more scopes.
   */
  const visit = (
    consents: number,
  ): Effect.Effect<void, unknown, Authorizations.Authorizations | Principal.CurrentPrincipal> =>
    connections.verify({ id, entry }, {}, useTools).pipe(
      Effect.catchIf(
        (error) =>
          error._tag === "ConnectorError" &&
          (error.reason === "unauthorized" || error.reason === "insufficientScope") &&
          consents > 0,
        () => Effect.andThen(authorize(id), visit(consents - 1)),
      ),
    );
  yield* visit(2);
}).pipe(Effect.provideService(Principal.CurrentPrincipal, Principal.system));

const catalog = Catalog.Catalog.layerWith([
  {
    path: "conformance.json",
    text: JSON.stringify([
      {
        id: "conformance",
        name: "Conformance",
        description: "A server of the conformance suite",
        category: "dev",
        transport: "http",
        runtime: "none",
        installInstructions: "None.",
        manifest: { url },
        envVars: Object.keys(registered).map((name) => ({
          name,
          description: "Of the client that was registered by hand.",
          required: false,
          secret: true,
          default: null,
        })),
      },
    ]),
  },
]);

const connector = Layer.unwrap(
  Effect.gen(function* () {
    const dataDir = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped();
    return Mcp.layer({ dataDir, prepareSeconds: 1 });
  }),
);

const services = Core.layerMcp.pipe(
  Layer.provideMerge(catalog),
  Layer.provide([
    connector,
    MemoryStorage.layer,
    MasterKeys.MasterKeys.layer([Redacted.make(new Uint8Array(32))]),
  ]),
  Layer.provide([NodeCrypto.layer, NodeFileSystem.layer]),
);

NodeRuntime.runMain(Effect.provide(program, services).pipe(Effect.timeout(limit)));
