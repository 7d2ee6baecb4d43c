import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import {
  type Catalog,
  Core,
  CoreOptions,
  type Errors,
  Housekeeping,
  type MasterKeys,
  McpOptions,
} from "@quartermaster/core";
import { Context, Effect, Layer } from "effect";
import { HttpRouter, HttpServer } from "effect/http";
import { HttpOptions } from "../HttpOptions.ts";
import * as Routes from "../Routes.ts";
import * as CatalogFiles from "./CatalogFiles.ts";
import * as Crypto from "./Crypto.ts";
import { DataDirectory } from "./DataDirectory.ts";
import * as Listener from "./Listener.ts";
import * as Logs from "./Logs.ts";
import * as Observation from "./Observation.ts";
import * as OwnerKey from "./OwnerKey.ts";
import * as Secrets from "./Secrets.ts";
import { ServerConfig } from "./ServerConfig.ts";
import * as ServerMetrics from "./ServerMetrics.ts";
import { Shutdown } from "./Shutdown.ts";
import type { StartError } from "./StartError.ts";
import * as SystemHandlers from "./SystemHandlers.ts";
import * as Unreadable from "./Unreadable.ts";
import * as Welcome from "./Welcome.ts";

/** Once it serves: says so. When it ends: lets what is in flight end first. */
const open = (ownerKey: OwnerKey.OwnerKey) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const listener = yield* Listener.Listener;
      const shutdown = yield* Shutdown;
      yield* Effect.addFinalizer(() =>
        shutdown.begin.pipe(
          Effect.andThen(Effect.logInfo("Shutting down: draining in-flight requests")),
          Effect.andThen(listener.drain),
          Effect.andThen(Effect.logInfo("Shutdown complete")),
        ),
      );
      yield* listener.open;
      yield* Welcome.say(ownerKey);
    }),
  );

const routes = Routes.layer.pipe(
  Layer.provide(SystemHandlers.layer),
  Layer.provide(Observation.layer),
);

/**
 * Builds a layer in a context to which a request can add its services without a copy: with the usual
 * room, the copy of all services was 5 % of a small request.
 */
const flattened = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.effectContext(
    Effect.flatMap(Effect.scope, (scope) =>
      Effect.updateContext(Layer.buildWithScope(layer, scope), (context: Context.Context<R>) =>
        Context.makeUnsafe<R>(new Map(context.mapUnsafe), { maxDepth: 24 }),
      ),
    ),
  );

const served = Layer.unwrap(
  Effect.gen(function* () {
    const ownerKey = yield* OwnerKey.bootstrap;
    const housekeeping = yield* Housekeeping.Housekeeping;
    yield* Effect.forkScoped(housekeeping.run);
    yield* Unreadable.report;
    const app = yield* Effect.provideService(
      HttpRouter.toHttpEffect(routes),
      HttpRouter.RouterConfig,
      Routes.routerConfig,
    );
    // It listens when everything that serves is there, and not before.
    return open(ownerKey).pipe(
      Layer.provide(flattened(HttpServer.serve(app))),
      Layer.provide(Listener.layer),
    );
  }),
);

const options = Layer.mergeAll(
  Layer.effect(
    CoreOptions.CoreOptions,
    Effect.map(
      ServerConfig,
      ({ adminKey, eventDays, maxAttachmentBytes, maxAttempts, maxLinks, strictAgents }) => ({
        ...CoreOptions.CoreOptions.defaultValue(),
        adminKey,
        eventDays,
        maxAttachmentBytes,
        maxLinks,
        maxAttempts,
        strictAgents,
      }),
    ),
  ),
  Layer.effect(
    McpOptions.McpOptions,
    Effect.map(ServerConfig, ({ toolSeconds, verifySeconds }) => ({
      ...McpOptions.McpOptions.defaultValue(),
      toolSeconds,
      verifySeconds,
    })),
  ),
  Layer.effect(
    HttpOptions,
    Effect.gen(function* () {
      const config = yield* ServerConfig;
      const shutdown = yield* Shutdown;
      return {
        allowedHosts: config.allowedHosts,
        allowedOrigins: config.allowedOrigins,
        authFailureLimit: config.authFailureLimit,
        host: config.host,
        maxJsonBytes: config.maxJsonBytes,
        dashboard: true,
        maxStreams: config.maxStreams,
        prefix: "",
        publicUrl: config.publicUrl,
        rateLimit: config.rateLimit,
        shutdown,
        trustedProxies: config.trustedProxies,
      };
    }),
  ),
);

/** What the server and its storage stand on: the environment's settings, the data directory, logs. */
export const foundation = Layer.mergeAll(DataDirectory.layer, Logs.layer).pipe(
  Layer.provideMerge(ServerConfig.layer),
  Layer.provideMerge(Layer.mergeAll(NodeHttpServer.layerHttpServices, Crypto.layer)),
);

/** What core needs of a storage, and of what runs MCP servers. */
type Ports = Exclude<Layer.Services<typeof Core.layerMcp>, Catalog.Catalog | MasterKeys.MasterKeys>;

/**
 * The whole server, from when the layer is built until its scope closes. It requires the ports of
 * a storage and of what runs MCP servers, and `foundation`.
 */
export const layer: Layer.Layer<
  never,
  StartError | Errors.StorageError,
  Ports | Layer.Success<typeof foundation>
> = served.pipe(
  Layer.provide(ServerMetrics.layer),
  Layer.provide(Core.layerMcp),
  Layer.provide(Layer.mergeAll(options, Secrets.layer, CatalogFiles.layer)),
  Layer.provide(Shutdown.layer),
);
