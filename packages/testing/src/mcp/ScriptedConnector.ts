import { McpConnector } from "@quartermaster/core";
import { Clock, Context, Effect, Layer, Redacted } from "effect";
import { ScriptedServer } from "./ScriptedServer.ts";

/** The address of a scripted server: the command of a program, or the host of a remote server. */
const addressOf = (target: McpConnector.Target): string =>
  target.transport === "stdio" ? target.command : new URL(Redacted.value(target.url)).host;

/** The scripted servers, by address. */
export class ScriptedConnector extends Context.Service<
  ScriptedConnector,
  {
    /** The server with this command or host. It starts without tools. */
    server(address: string): ScriptedServer;
  }
>()("@quartermaster/testing/mcp/ScriptedConnector") {
  /** `McpConnector` without processes or network, and the service that scripts it. */
  static readonly layer: Layer.Layer<ScriptedConnector | McpConnector.McpConnector> =
    Layer.effectContext(
      Effect.sync(() => {
        const servers = new Map<string, ScriptedServer>();
        const server = (address: string): ScriptedServer => {
          const known = servers.get(address) ?? new ScriptedServer();
          servers.set(address, known);
          return known;
        };
        const connect = Effect.fnUntraced(function* (
          target: McpConnector.Target,
          { timeoutMillis }: { readonly timeoutMillis: number },
        ) {
          const startedAt = yield* Clock.currentTimeMillis;
          const connection = yield* server(addressOf(target))
            .open(target)
            .pipe(
              Effect.timeoutOrElse({
                duration: timeoutMillis,
                orElse: () =>
                  new McpConnector.ConnectorError({
                    reason: "timeout",
                    message: `Timed out after ${timeoutMillis / 1_000} s.`,
                    sent: true,
                  }),
              }),
            );
          const connectMillis = (yield* Clock.currentTimeMillis) - startedAt;
          return { ...connection, connectMillis };
        });
        return Context.make(ScriptedConnector, ScriptedConnector.of({ server })).pipe(
          Context.add(McpConnector.McpConnector, McpConnector.McpConnector.of({ connect })),
        );
      }),
    );
}
