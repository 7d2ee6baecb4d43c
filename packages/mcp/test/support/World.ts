import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type McpConnector, PackageStore } from "@quartermaster/core";
import { Context, Effect, Layer, type Scope } from "effect";
import { Connector, Host, Mcp, Processes, type Sandboxes, Spawner } from "../../src/index.ts";

/**
 * The one world of these tests: parts of this package over a separate data directory. They connect
 * to a program (`Fixture`), an HTTP server (`HttpFixture`) or a registry (`Registry`). The agents'
 * endpoint needs no directory and is in `Endpoint`.
 */

/** A folder that is removed with the scope. */
export const folder = Effect.acquireRelease(
  Effect.promise(async () => realpath(await mkdtemp(join(tmpdir(), "qm-mcp-")))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true })),
);

/** The spawner of a service with this data directory. */
export const spawner = (dataDir: string, sandbox?: Sandboxes.Setting) =>
  Layer.provide(Spawner.layer({ dataDir, sandbox }), Processes.Processes.layer({ dataDir }));

/** Runs an effect with a connector over a data directory. */
export const withConnector = <A, E, R>(
  f: (dataDir: string) => Effect.Effect<A, E, R | McpConnector.McpConnector>,
  network: Layer.Layer<never> = Layer.empty,
) =>
  Effect.gen(function* () {
    const dataDir = yield* folder;
    const layer = Connector.layer.pipe(Layer.provide(spawner(dataDir)), Layer.provide(network));
    return yield* Effect.provide(f(dataDir), layer);
  }).pipe(Effect.scoped);

/** The packages of a service that starts on a host with this environment. */
export const packages = (
  dataDir: string,
  environment: Readonly<Record<string, string | undefined>>,
  options: Partial<Mcp.Options> = {},
): Effect.Effect<(typeof PackageStore.PackageStore)["Service"], never, Scope.Scope> =>
  Layer.build(
    Mcp.layer({ dataDir, prepareSeconds: 60, ...options }).pipe(
      Layer.provide(
        Layer.succeed(Host.Host, {
          environment,
          platform: process.platform,
          node: { path: process.execPath, version: process.version },
        }),
      ),
    ),
  ).pipe(Effect.map((context) => Context.get(context, PackageStore.PackageStore)));
