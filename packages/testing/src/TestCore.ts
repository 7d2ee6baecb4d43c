import {
  Catalog,
  type CatalogEntry,
  Core,
  MasterKeys,
  type McpConnector,
  type OAuthClient,
  type PackageStore,
  type ProcessSpawner,
  type RuntimeProbe,
  type WebhookSender,
} from "@quartermaster/core";
import { type Array, Clock, Layer, Redacted } from "effect";
import { Aead, Digest, Mac, type SecureRandom } from "effect/crypto";
import { ScriptedConnector } from "./mcp/ScriptedConnector.ts";
import { ScriptedOAuth } from "./mcp/ScriptedOAuth.ts";
import { ScriptedPackages } from "./mcp/ScriptedPackages.ts";
import { ScriptedRuntimes } from "./mcp/ScriptedRuntimes.ts";
import { ScriptedSender } from "./mcp/ScriptedSender.ts";
import { ScriptedSpawner } from "./mcp/ScriptedSpawner.ts";
import * as TestCatalog from "./mcp/TestCatalog.ts";
import * as MemoryStorage from "./MemoryStorage.ts";
import * as SeededRandom from "./SeededRandom.ts";
import type { Storage } from "./Storage.ts";

type Services =
  | Layer.Success<typeof Core.layer>
  | MasterKeys.MasterKeys
  | SecureRandom.SecureRandom
  | Storage;

/** The ports of MCP servers and webhooks. */
export type Ports =
  | McpConnector.McpConnector
  | OAuthClient.OAuthClient
  | PackageStore.PackageStore
  | ProcessSpawner.ProcessSpawner
  | RuntimeProbe.RuntimeProbe
  | WebhookSender.WebhookSender;

/** The ports of MCP servers and webhooks, and the services that script them. */
export type Scripted =
  | Ports
  | ScriptedConnector
  | ScriptedOAuth
  | ScriptedPackages
  | ScriptedRuntimes
  | ScriptedSender
  | ScriptedSpawner;

export type McpServices = Services | Core.McpServices | Catalog.Catalog | Scripted;

type Keys = Array.NonEmptyReadonlyArray<Redacted.Redacted<Uint8Array>>;

/** A master key of 32 equal bytes. */
export const masterKey = (byte: number): Redacted.Redacted<Uint8Array> =>
  Redacted.make(new Uint8Array(32).fill(byte));

/** The real clock for background work, so that a test clock can skip days at no cost. */
const realClock = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue());

const around = <E>(options: {
  readonly storage: Layer.Layer<Storage, E>;
  readonly keys?: Keys | undefined;
  readonly seed?: number | undefined;
}) =>
  Layer.merge(options.storage, MasterKeys.MasterKeys.layer(options.keys ?? [masterKey(1)])).pipe(
    Layer.provideMerge(Layer.merge(Mac.layerWebCrypto, Aead.layerWebCrypto)),
    Layer.provideMerge(Digest.layerWebCrypto),
    Layer.provideMerge(SeededRandom.layerWith({ seed: options.seed ?? 1 })),
  );

/** All services over a storage, with seeded randomness and a fixed master key. */
export const layerWith = <E>(options: {
  readonly storage: Layer.Layer<Storage, E>;
  readonly seed?: number | undefined;
}): Layer.Layer<Services, E | Layer.Error<typeof Core.layer>> =>
  Layer.provideMerge(Layer.provide(Core.layer, realClock), around(options));

/**
 * Every service over storage in memory. The same calls under the same clock create the same ids.
 *
 * @example
 * ```ts
 * import { Issues, Principal } from "@quartermaster/core";
 * import { TestCore } from "@quartermaster/testing";
 * import { Effect } from "effect";
 *
 * export const example = Issues.Issues.use((issues) =>
 *   issues.create("shop", { title: "Say hello" }),
 * ).pipe(
 *   Effect.map((issue) => issue.status), // "Open"
 *   Effect.provideService(Principal.CurrentPrincipal, Principal.user("ada")),
 *   Effect.provide(TestCore.layer),
 * );
 * ```
 */
export const layer: Layer.Layer<Services, Layer.Error<typeof Core.layer>> = layerWith({
  storage: MemoryStorage.layer,
});

/** The ports of MCP servers and webhooks, without processes or network. */
export const scripted: Layer.Layer<Scripted> = Layer.mergeAll(
  ScriptedConnector.layer,
  ScriptedOAuth.layer,
  ScriptedPackages.layer,
  ScriptedRuntimes.layer,
  ScriptedSender.layer,
  ScriptedSpawner.layer,
);

/** A catalog with these entries and the built-in ones. */
export const catalog = (
  entries: ReadonlyArray<CatalogEntry.CatalogEntry>,
): Layer.Layer<Catalog.Catalog> =>
  Layer.orDie(Catalog.Catalog.layerWith([{ path: "test.json", text: JSON.stringify(entries) }]));

/**
 * All services, including those for MCP, over a storage. Background work follows the test clock.
 * Several instances may share `catalog`, `scripted` and `storage`, as nodes do.
 */
export const layerMcpWith = <E>(options: {
  readonly storage: Layer.Layer<Storage, E>;
  readonly catalog?: Layer.Layer<Catalog.Catalog> | undefined;
  readonly keys?: Keys | undefined;
  readonly scripted?: Layer.Layer<Scripted> | undefined;
  readonly seed?: number | undefined;
}): Layer.Layer<McpServices, E | Layer.Error<typeof Core.layerMcp>> =>
  Layer.provideMerge(
    Core.layerMcp,
    Layer.mergeAll(
      around(options),
      options.catalog ?? catalog(TestCatalog.entries),
      options.scripted ?? scripted,
    ),
  );

/** All services, including those for MCP, over storage in memory. */
export const layerMcp: Layer.Layer<McpServices, Layer.Error<typeof Core.layerMcp>> = layerMcpWith({
  storage: MemoryStorage.layer,
});
