import { McpConnector } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import * as RemoteConnection from "./http/RemoteConnection.ts";
import { Processes } from "./processes/Processes.ts";
import * as StdioConnection from "./stdio/StdioConnection.ts";

/** Connections on the official SDK's client, with processes, pipes and requests of our own. */
export const layer: Layer.Layer<McpConnector.McpConnector, never, Processes> = Layer.effect(
  McpConnector.McpConnector,
  Effect.gen(function* () {
    const processes = yield* Processes;
    return McpConnector.McpConnector.of({
      connect: (target, { timeoutMillis }) =>
        target.transport === "stdio"
          ? Effect.provideService(StdioConnection.open(target, timeoutMillis), Processes, processes)
          : RemoteConnection.open(target, timeoutMillis),
    });
  }),
);
