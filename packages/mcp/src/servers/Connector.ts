import { McpConnector, ProcessSpawner } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import * as RemoteConnection from "./http/RemoteConnection.ts";
import { RemoteFetch } from "./network/RemoteFetch.ts";
import * as StdioConnection from "./stdio/StdioConnection.ts";

/**
 * Connects with the official SDK's client, over the port's processes and this package's transports.
 */
export const layer: Layer.Layer<McpConnector.McpConnector, never, ProcessSpawner.ProcessSpawner> =
  Layer.effect(
    McpConnector.McpConnector,
    Effect.gen(function* () {
      const spawner = yield* ProcessSpawner.ProcessSpawner;
      const remoteFetch = yield* RemoteFetch;
      return McpConnector.McpConnector.of({
        connect: (target, { timeoutMillis }) =>
          target.transport === "stdio"
            ? Effect.provideService(
                StdioConnection.open(target, timeoutMillis),
                ProcessSpawner.ProcessSpawner,
                spawner,
              )
            : Effect.provideService(
                RemoteConnection.open(target, timeoutMillis),
                RemoteFetch,
                remoteFetch,
              ),
      });
    }),
  ).pipe(Layer.provide(RemoteFetch.layer));
