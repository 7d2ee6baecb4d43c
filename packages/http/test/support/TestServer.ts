import { createServer, type ServerResponse } from "node:http";
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import {
  type ApiKey,
  Core,
  CoreOptions,
  Keys,
  MasterKeys,
  McpOptions,
  Principal,
} from "@quartermaster/core";
import { EndpointOptions, KeepAlive } from "@quartermaster/mcp";
import {
  MemoryStorage,
  ScriptedConnector,
  ScriptedPackages,
  ScriptedRuntimes,
  ScriptedSpawner,
  type Storage,
  TestCatalog,
  TestCore,
} from "@quartermaster/testing";
import { Cause, Effect, Layer, Logger, ManagedRuntime, References } from "effect";
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http";
import * as Dashboard from "../../src/Dashboard.ts";
import * as Reply from "../../src/endpoint/Reply.ts";
import * as Handlers from "../../src/handlers/Handlers.ts";
import * as HttpOptions from "../../src/HttpOptions.ts";
import * as Routes from "../../src/Routes.ts";

/** The whole contract over a real socket, on storage in memory. */

export interface Options {
  readonly http?: Partial<HttpOptions.HttpSettings>;
  readonly core?: Partial<typeof CoreOptions.CoreOptions.Service>;
  readonly mcp?: Partial<typeof McpOptions.McpOptions.Service>;
  readonly endpoint?: Partial<typeof EndpointOptions.EndpointOptions.Service>;
  /** The time at which responses to long calls start. */
  readonly keepAlive?: KeepAlive.Timing;
  /** Ports that are added to the scripted ports, or replace them. */
  readonly ports?: Layer.Layer<TestCore.Ports>;
  readonly catalog?: typeof TestCatalog.entries;
  /** Replaces the storage in memory. */
  readonly storage?: Layer.Layer<Storage.Storage>;
  /** The master keys, newest first. Default: one fixed key. */
  readonly masterKeys?: MasterKeys.KeyBytes;
  /** Receives each line of the log. */
  readonly log?: (line: { readonly level: string; readonly text: string }) => void;
  /** Replaces the real clock. */
  readonly clock?: Layer.Layer<never>;
  /** Receives each response before it is written. */
  readonly onResponse?: (response: ServerResponse) => void;
  /** The folder with the files of the dashboard. */
  readonly page?: string;
  /** Routes in addition to the contract's. */
  readonly routes?: Layer.Layer<never, never, HttpRouter.HttpRouter>;
}

/** Memory that runs every change twice where the environment has `QM_STORAGE=rerun`, as `.ci/run` sets. */
const memory =
  process.env["QM_STORAGE"] === "rerun" ? MemoryStorage.layerRerun : MemoryStorage.layer;

const text = (body: string) => Effect.succeed(HttpServerResponse.text(body));

const ok = Reply.ok(Effect.succeed({ status: "ok" } as const));

/** The group `system`, which the server provides, with minimal responses. */
export const system = Layer.succeed(
  Routes.System,
  Handlers.of("system", {
    health: () => ok,
    ready: () => ok,
    metrics: () => text("metrics"),
    openapi: () => Reply.ok(Effect.succeed({})),
    docs: () => text("docs"),
    apiPage: () => text("API"),
  }),
);

const listening = ({ onResponse }: Options) => {
  const server = createServer();
  if (onResponse !== undefined) server.on("request", (_, response) => onResponse(response));
  return server;
};

const layer = (options: Options) => {
  const settings = Layer.mergeAll(
    Layer.succeed(HttpOptions.HttpOptions, { ...HttpOptions.defaults, ...options.http }),
    Layer.succeed(CoreOptions.CoreOptions, {
      ...CoreOptions.CoreOptions.defaultValue(),
      ...options.core,
    }),
    Layer.succeed(McpOptions.McpOptions, {
      ...McpOptions.McpOptions.defaultValue(),
      ...options.mcp,
    }),
    Layer.succeed(EndpointOptions.EndpointOptions, {
      ...EndpointOptions.EndpointOptions.defaultValue(),
      ...options.endpoint,
    }),
    options.keepAlive === undefined
      ? Layer.empty
      : Layer.succeed(KeepAlive.CurrentTiming, options.keepAlive),
    options.page === undefined ? Layer.empty : Layer.succeed(Dashboard.Folder, options.page),
    Logger.layer([
      Logger.make(({ cause, fiber, logLevel, message }) =>
        options.log?.({
          level: logLevel,
          text: JSON.stringify([
            message,
            Cause.pretty(cause),
            fiber.getRef(References.CurrentLogAnnotations),
          ]),
        }),
      ),
    ]),
  );
  const core = Core.layerMcp.pipe(
    Layer.provide(options.storage ?? memory),
    Layer.provideMerge(
      Layer.mergeAll(
        TestCore.catalog(options.catalog ?? TestCatalog.entries),
        TestCore.scripted,
        options.ports ?? Layer.empty,
      ),
    ),
    Layer.provide(MasterKeys.MasterKeys.layer(options.masterKeys ?? [TestCore.masterKey(7)])),
    Layer.provideMerge(NodeCrypto.layer),
  );
  return HttpRouter.serve(
    Layer.merge(Routes.layer.pipe(Layer.provide(system)), options.routes ?? Layer.empty),
    { routerConfig: Routes.routerConfig, disableLogger: true, disableListenLog: true },
  ).pipe(
    Layer.provideMerge(
      NodeHttpServer.layer(() => listening(options), {
        port: 0,
        host: "127.0.0.1",
        gracefulShutdownTimeout: 0,
      }),
    ),
    Layer.provideMerge(core),
    Layer.provide(settings),
  );
};

/** The fields of a test's key: all fields except the role have a default. */
export type NewKey = Pick<ApiKey.ApiKeyCreate, "role"> & Partial<ApiKey.ApiKeyCreate>;

/** A key that exists. */
export interface Key {
  readonly id: string;
  readonly key: string;
}

/** The scripted MCP servers, packages, runtimes and programs of the host. */
export interface Scripted {
  readonly connector: ScriptedConnector.ScriptedConnector["Service"];
  readonly packages: ScriptedPackages.Script;
  readonly runtimes: ScriptedRuntimes.Script;
  readonly spawner: ScriptedSpawner.Script;
}

export interface TestServer {
  readonly url: string;
  readonly scripted: Scripted;
  /** Creates an API key. */
  readonly key: (key: NewKey) => Promise<Key>;
  readonly close: () => Promise<void>;
}

export const start = async (options: Options = {}): Promise<TestServer> => {
  const runtime = ManagedRuntime.make(
    layer(options).pipe(Layer.provideMerge(options.clock ?? Layer.empty)),
  );
  const server = await runtime.runPromise(HttpServer.HttpServer);
  const scripted = await runtime.runPromise(
    Effect.all({
      connector: ScriptedConnector.ScriptedConnector,
      packages: ScriptedPackages.ScriptedPackages,
      runtimes: ScriptedRuntimes.ScriptedRuntimes,
      spawner: ScriptedSpawner.ScriptedSpawner,
    }),
  );
  return {
    url: HttpServer.formatAddress(server.address),
    scripted,
    key: (key) =>
      runtime.runPromise(
        Effect.provideService(
          Keys.Keys.use((keys) => keys.create({ name: key.role, ...key })),
          Principal.CurrentPrincipal,
          Principal.system,
        ),
      ),
    close: () => runtime.dispose(),
  };
};
