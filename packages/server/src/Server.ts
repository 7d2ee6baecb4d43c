import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import {
  type Catalog,
  Core,
  CoreOptions,
  Deliverer,
  type Errors,
  Housekeeping,
  type MasterKeys,
  McpOptions,
  Nodes,
  Passed,
  WebhookOptions,
} from "@quartermaster/core";
import { HttpOptions, NodeRoute, Routes, Shutdown, SystemHandlers } from "@quartermaster/http";
import { NodeClient } from "@quartermaster/mcp";
import { Context, Effect, Layer } from "effect";
import { HttpRouter, HttpServer } from "effect/http";
import * as CatalogFiles from "./config/CatalogFiles.ts";
import * as EnvironmentNames from "./config/EnvironmentNames.ts";
import { ServerConfig } from "./config/ServerConfig.ts";
import type { StartError } from "./config/StartError.ts";
import * as Webhooks from "./config/Webhooks.ts";
import * as Crypto from "./Crypto.ts";
import { DataDirectory } from "./data/DataDirectory.ts";
import * as OwnerKey from "./data/OwnerKey.ts";
import * as Secrets from "./data/Secrets.ts";
import * as Logs from "./observation/Logs.ts";
import * as Observation from "./observation/Observation.ts";
import * as ServerMetrics from "./observation/ServerMetrics.ts";
import * as Listener from "./socket/Listener.ts";
import { NodeAddress } from "./socket/NodeAddress.ts";
import * as Unreadable from "./Unreadable.ts";
import * as Welcome from "./Welcome.ts";
import { Worker } from "./workers/Worker.ts";

/** Opens the listener and prints the welcome. On close, drains the requests in flight first. */
const open = (ownerKey: OwnerKey.OwnerKey) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const listener = yield* Listener.Listener;
      const shutdown = yield* Shutdown.Shutdown;
      yield* Effect.addFinalizer(() =>
        shutdown.start.pipe(
          Effect.andThen(Effect.logInfo("Shutting down: draining in-flight requests")),
          Effect.andThen(listener.drain),
          Effect.andThen(Effect.logInfo("Shutdown complete")),
        ),
      );
      const webhooks = yield* WebhookOptions.WebhookOptions;
      const { ownPorts } = webhooks;
      ownPorts.add(Number(new URL(listener.url).port));
      webhooks.publicUrl ??= listener.browserUrl;
      yield* listener.open;
      const worker = yield* Worker;
      const { own } = yield* NodeAddress;
      worker?.onPorts((ports) => {
        for (const port of ports) ownPorts.add(port);
      });
      if (worker === null || worker.isFirst) yield* Welcome.say(ownerKey);
      else yield* Effect.logInfo(`Worker ${worker.number} listens on ${listener.url}`);
      if (own !== null) worker?.ready(own.port);
    }),
  );

const routes = Routes.layer.pipe(
  Layer.provide(SystemHandlers.layer),
  Layer.provide(Observation.layer),
  Layer.merge(NodeRoute.layer),
);

/**
 * Builds a layer in a context with capacity for the services of a request. With the default
 * capacity, copying all services took 5 % of the time of a small request.
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
    const deliverer = yield* Deliverer.Deliverer;
    yield* Effect.forkScoped(housekeeping.run);
    yield* Effect.forkScoped(deliverer.run);
    yield* Unreadable.report;
    const app = yield* Effect.provideService(
      HttpRouter.toHttpEffect(routes),
      HttpRouter.RouterConfig,
      Routes.routerConfig,
    );
    // The server only listens once every service is ready.
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
      ({ adminKey, auditDays, eventDays, logBytes, logDays, maxAttempts, ...limits }) => ({
        ...CoreOptions.CoreOptions.defaultValue(),
        callBodyBytes: limits.callBodyBytes,
        callBodyDays: limits.callBodyDays,
        adminKey,
        auditDays,
        eventDays,
        logBytes,
        logDays,
        maxAttachmentBytes: limits.maxAttachmentBytes,
        maxLinks: limits.maxLinks,
        maxAttempts,
        strictAgents: limits.strictAgents,
        strictProjects: limits.strictProjects,
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
    HttpOptions.HttpOptions,
    Effect.gen(function* () {
      const config = yield* ServerConfig;
      const shutdown = yield* Shutdown.Shutdown;
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

/** Other nodes share the database, or reach this one at its URL. */
const nodes = Layer.unwrap(
  Effect.gen(function* () {
    const { database } = yield* ServerConfig;
    const { url } = yield* NodeAddress;
    const worker = yield* Worker;
    if (database === null && url === null) return Layer.empty;
    const client = NodeClient.layer(url);
    return worker === null ? client : Layer.provide(amongWorkers(worker.addressOf), client);
  }),
);

const noWorker = Passed.elsewhere("The worker that runs the server has exited.");

/** Reaches the workers of this program by their names. */
const amongWorkers = (addressOf: (url: string) => string | null) =>
  Layer.effect(
    Nodes.Nodes,
    Effect.map(Nodes.Nodes, (nodes) =>
      nodes === null
        ? null
        : {
            url: nodes.url,
            pass: (url, request, onProgress) => {
              const address = addressOf(url);
              return address === null
                ? Effect.fail(noWorker)
                : nodes.pass(address, request, onProgress);
            },
          },
    ),
  );

/**
 * The foundation of the server and its storage: settings from the environment, the data directory,
 * and logs.
 */
export const foundation = Layer.mergeAll(DataDirectory.layer, Logs.layer, Webhooks.layer).pipe(
  Layer.provideMerge(ServerConfig.layer),
  Layer.provideMerge(
    Layer.mergeAll(NodeHttpServer.layerHttpServices, Crypto.layer, EnvironmentNames.layer),
  ),
);

/** The ports that core needs, from a storage and from the MCP adapters. */
type Ports = Exclude<Layer.Services<typeof Core.layerMcp>, Catalog.Catalog | MasterKeys.MasterKeys>;

/**
 * The whole server, from the building of the layer until its scope closes. It requires
 * `foundation`, and the ports of a storage and of the MCP adapters.
 */
export const layer: Layer.Layer<
  never,
  StartError | Errors.StorageError,
  Ports | Layer.Success<typeof foundation>
> = served.pipe(
  Layer.provide(ServerMetrics.layer),
  Layer.provide(Core.layerMcp),
  Layer.provide(nodes),
  Layer.provide(NodeAddress.layer),
  Layer.provide(Layer.mergeAll(options, Secrets.layer, CatalogFiles.layer)),
  Layer.provide(Shutdown.Shutdown.layer),
);
