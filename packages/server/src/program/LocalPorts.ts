import { Mcp, NetworkOptions } from "@quartermaster/mcp";
import { Storage } from "@quartermaster/storage-sqlite";
import { Effect, Layer } from "effect";
import { ServerConfig } from "../config/ServerConfig.ts";
import { DataDirectory } from "../data/DataDirectory.ts";

export const storageWith = (durability: ServerConfig["Service"]["durability"]) =>
  Layer.unwrap(
    Effect.map(DataDirectory, ({ path }) => Storage.layer({ dataDir: path, durability })),
  );

const storage = Layer.unwrap(Effect.map(ServerConfig, ({ durability }) => storageWith(durability)));

const mcp = Layer.unwrap(
  Effect.gen(function* () {
    const { allowDirect, allowedPaths, prepareSeconds, privateHosts, sandbox } =
      yield* ServerConfig;
    const { path } = yield* DataDirectory;
    const network = Layer.succeed(NetworkOptions.NetworkOptions, {
      ...NetworkOptions.NetworkOptions.defaultValue(),
      privateHosts: new Set(privateHosts),
    });
    return Mcp.layer({ dataDir: path, prepareSeconds, sandbox, allowDirect, allowedPaths }).pipe(
      Layer.provide(network),
    );
  }),
);

/** The server's ports: SQLite and files in the data directory, and MCP servers as processes. */
export const layer = Layer.merge(storage, mcp);
