import cluster from "node:cluster";
import { Effect, Layer } from "effect";
import { ServerConfig } from "../config/ServerConfig.ts";
import * as Crypto from "../Crypto.ts";
import * as Logs from "../observation/Logs.ts";
import * as Supervisor from "../workers/Supervisor.ts";
import * as Heap from "./Heap.ts";

const settings = Layer.merge(ServerConfig.layer, Crypto.layer);

/**
 * `quartermaster serve`: runs the server on the storage in `QM_DATA_DIR` until a signal, or the
 * workers that do. The parent of workers does not load the server.
 */
export const run = (version: string) =>
  Effect.gen(function* () {
    const { workers } = yield* ServerConfig;
    if (workers > 1 && cluster.isPrimary) {
      return yield* Effect.provide(Supervisor.run(workers), Logs.layer);
    }
    yield* Effect.promise(() => import("./ServerProcess.ts")).pipe(
      Effect.flatMap((server) => server.run(version)),
      Effect.provide(Heap.layer),
    );
  }).pipe(Effect.provide(settings));
