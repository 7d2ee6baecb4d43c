import { McpConnector } from "@quartermaster/core";
import { Context, Effect, Layer } from "effect";
import { Processes } from "./processes/Processes.ts";
import * as StdioConnection from "./stdio/StdioConnection.ts";

/** Connections on the official SDK's client, with processes, pipes and requests of our own. */
export const layer: Layer.Layer<McpConnector.McpConnector, never, Processes> = Layer.effect(
  McpConnector.McpConnector,
  Effect.gen(function* () {
    const context = yield* Effect.context<Processes>();
    return McpConnector.McpConnector.of({
      connect: (target, { timeoutMillis }) =>
        target.transport === "stdio"
          ? Effect.provideContext(
              StdioConnection.open(target, timeoutMillis),
              Context.pick(Processes)(context),
            )
          : Effect.die("not yet"),
    });
  }),
);
