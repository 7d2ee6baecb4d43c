import { McpConnector } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import * as RemoteConnection from "./http/RemoteConnection.ts";
import { RemoteFetch } from "./network/RemoteFetch.ts";
import { Processes } from "./processes/Processes.ts";
import * as StdioConnection from "./stdio/StdioConnection.ts";

/** Connections by the official SDK's client, over our own processes, pipes and requests. */
export const layer: Layer.Layer<McpConnector.McpConnector, never, Processes> = Layer.effect(
  McpConnector.McpConnector,
  Effect.gen(function* () {
    const processes = yield* Processes;
    const remoteFetch = yield* RemoteFetch;
    return McpConnector.McpConnector.of({
      connect: (target, { timeoutMillis }) =>
        target.transport === "stdio"
          ? Effect.provideService(StdioConnection.open(target, timeoutMillis), Processes, processes)
          : Effect.provideService(
              RemoteConnection.open(target, timeoutMillis),
              RemoteFetch,
              remoteFetch,
            ),
    });
  }),
).pipe(Layer.provide(RemoteFetch.layer));
