import { Mcp, NetworkOptions } from "@quartermaster/mcp";
import { Storage } from "@quartermaster/storage-sqlite";
import { Effect, Layer } from "effect";
import type { Database } from "../config/DatabaseSettings.ts";
import * as Postgres from "../config/Postgres.ts";
import * as S3Settings from "../config/S3Settings.ts";
import { ServerConfig } from "../config/ServerConfig.ts";
import { DataDirectory } from "../data/DataDirectory.ts";

const onPostgres = (database: Database) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { Storage } = yield* Postgres.load;
      const { s3 } = yield* ServerConfig;
      const { path } = yield* DataDirectory;
      return Storage.layerWithClock({ ...database, s3: S3Settings.optionsOf(s3, path) });
    }),
  );

const onSqlite = (durability: ServerConfig["Service"]["durability"]) =>
  Layer.unwrap(
    Effect.map(DataDirectory, ({ path }) => Storage.layer({ dataDir: path, durability })),
  );

/** The storage of the settings, and for SQLite how durable its changes are. */
export const storageWith = (durability: ServerConfig["Service"]["durability"]) =>
  Layer.unwrap(
    Effect.map(ServerConfig, ({ database }) =>
      database === null ? onSqlite(durability) : onPostgres(database),
    ),
  );

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

/** The server's ports: a storage, and MCP servers as processes. */
export const layer = Layer.unwrap(
  Effect.map(ServerConfig, ({ database, durability }) =>
    database === null
      ? Layer.merge(onSqlite(durability), mcp)
      : // The storage also brings the clock.
        Layer.provideMerge(mcp, onPostgres(database)),
  ),
);
