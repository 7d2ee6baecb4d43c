import type { IncomingMessage, Server, ServerResponse } from "node:http";
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import { NodeMessages } from "@quartermaster/mcp";
import { Context, Effect, type FileSystem, Layer, Schedule } from "effect";
import { HttpServer } from "effect/http";
import { ServerConfig } from "../config/ServerConfig.ts";
import { StartError } from "../config/StartError.ts";
import { NodeAddress } from "./NodeAddress.ts";
import * as NodeServer from "./NodeServer.ts";

/** The time limit for requests in flight at shutdown. */
const drainTime = "10 seconds";

/** The server's socket. */
export class Listener extends Context.Service<
  Listener,
  {
    /** The URL with the actual port, even if the configured port is 0. */
    readonly url: string;
    /** The same with an address that clients can connect to: they cannot open the wildcard address. */
    readonly browserUrl: string;
    /** Stops accepting connections and waits up to `drainTime` for requests in flight. */
    readonly drain: Effect.Effect<void>;
    /** Serves the requests that arrived before the routes were built. */
    readonly open: Effect.Effect<void>;
  }
>()("@quartermaster/server/Listener") {}

/** Listens as soon as the layer is built. Requests are held until `open`. */
export const layer: Layer.Layer<
  Listener | HttpServer.HttpServer,
  StartError,
  NodeAddress | ServerConfig | FileSystem.FileSystem
> = Layer.effectContext(
  Effect.gen(function* () {
    const config = yield* ServerConfig;
    const { own } = yield* NodeAddress;
    const server = yield* NodeServer.make;
    if (own !== null) serveNodes(own.server, server);
    const open = holdRequests(server);
    const inFlight = countRequests(server);
    const httpServer = yield* NodeHttpServer.make(() => server, {
      host: config.host,
      port: config.port,
      disablePreemptiveShutdown: true,
    }).pipe(Effect.mapError(({ cause }) => cannotListen(config, cause)));
    const scheme = config.tls === null ? "http" : "https";
    const url = HttpServer.formatAddress(httpServer.address).replace(/^https?/, scheme);
    return Context.make(HttpServer.HttpServer, httpServer).pipe(
      Context.add(Listener, {
        url,
        browserUrl: url.replace(/\/\/(0\.0\.0\.0|\[::\])/, "//127.0.0.1"),
        drain: drain(own === null ? [server] : [server, own.server], inFlight),
        open,
      }),
    );
  }),
);

const cannotListen = ({ host, port }: ServerConfig["Service"], cause: unknown) => {
  const code = NodeServer.reasonOf(cause);
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} of ${host} is in use. Stop the other process, or set QM_PORT to another port (0 chooses a free one).`,
    EACCES: `This user may not listen on port ${port} of ${host}. Set QM_PORT to a port above 1023.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Set QM_HOST to one, such as "127.0.0.1" or "0.0.0.0".`,
    ENOTFOUND: `The name ${host} is unknown. Set QM_HOST to an address of this machine, such as "127.0.0.1" or "0.0.0.0".`,
  };
  return new StartError({
    message: sentences[code] ?? `The server cannot listen on port ${port} of ${host} (${code}).`,
  });
};

/** Serves the requests of other nodes on a listener for them. */
const serveNodes = (listener: Server, server: Server) =>
  listener.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === NodeMessages.path) server.emit("request", request, response);
    else response.writeHead(404).end();
  });

/** Holds the requests that arrive before `open`. */
const holdRequests = (server: Server) => {
  const held: Array<readonly [IncomingMessage, ServerResponse]> = [];
  const hold = (request: IncomingMessage, response: ServerResponse) =>
    held.push([request, response]);
  server.on("request", hold);
  return Effect.sync(() => {
    server.off("request", hold);
    for (const [request, response] of held.splice(0)) server.emit("request", request, response);
  });
};

/** Returns a function that reads the number of requests in flight. */
const countRequests = (server: Server) => {
  let inFlight = 0;
  const end = () => {
    inFlight -= 1;
  };
  const begin = (_: IncomingMessage, response: ServerResponse) => {
    inFlight += 1;
    response.once("close", end);
  };
  server.on("request", begin).on("checkContinue", begin);
  return () => inFlight;
};

const drain = Effect.fnUntraced(function* (servers: ReadonlyArray<Server>, inFlight: () => number) {
  for (const server of servers) server.close();
  // Keep-alive connections become idle one after the other.
  yield* Effect.sync(() => {
    for (const server of servers) server.closeIdleConnections();
  }).pipe(
    Effect.repeat(Schedule.spaced("20 millis").pipe(Schedule.while(() => inFlight() > 0))),
    Effect.interruptible,
    Effect.timeoutOrElse({
      duration: drainTime,
      orElse: () =>
        Effect.logWarning(`${inFlight()} requests were aborted because they took too long`),
    }),
  );
  for (const server of servers) server.closeAllConnections();
});
