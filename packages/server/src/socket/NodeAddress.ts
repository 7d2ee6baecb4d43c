import type { Server } from "node:http";
import { Context, Effect, Layer } from "effect";
import { ServerConfig } from "../config/ServerConfig.ts";
import { StartError } from "../config/StartError.ts";
import { Worker } from "../workers/Worker.ts";
import * as NodeServer from "./NodeServer.ts";

const listen = (server: Server, host: string, port: number) =>
  Effect.callback<number, unknown>((resume) => {
    server.once("error", (error) => resume(Effect.fail(error)));
    // Not the port of all workers.
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      resume(Effect.succeed(typeof address === "object" ? (address?.port ?? port) : port));
    });
  });

/** The address at which other nodes of the service reach this process. */
export class NodeAddress extends Context.Service<
  NodeAddress,
  {
    /** Null if they do not reach it. */
    readonly url: string | null;
    /** The listener of a worker for other nodes, and its port; null without other workers. */
    readonly own: { readonly server: Server; readonly port: number } | null;
  }
>()("@quartermaster/server/NodeAddress") {
  /** A worker listens before its routes are built. A request before that gets no response. */
  static readonly layer = Layer.effect(
    NodeAddress,
    Effect.gen(function* () {
      const config = yield* ServerConfig;
      const { host, nodeUrl } = config;
      const worker = yield* Worker;
      if (worker === null) return { url: nodeUrl, own: null };
      if (nodeUrl === null) {
        const server = yield* Effect.provideService(NodeServer.make, ServerConfig, {
          ...config,
          tls: null,
          publicUrl: null,
        });
        const port = yield* Effect.orDie(listen(server, "127.0.0.1", 0));
        return { url: worker.url, own: { server, port } };
      }
      const url = new URL(nodeUrl);
      const base = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
      const port = base + worker.number;
      url.port = String(port);
      const server = yield* NodeServer.make;
      yield* Effect.mapError(
        listen(server, host, port),
        (cause) =>
          new StartError({
            message:
              `Worker ${worker.number} cannot listen on port ${port} of ${host} (${NodeServer.reasonOf(cause)}): ` +
              "with QM_WORKERS, worker n uses the port of QM_NODE_URL plus n. Free it, or set another port in QM_NODE_URL.",
          }),
      );
      return { url: url.origin, own: { server, port } };
    }),
  );
}
