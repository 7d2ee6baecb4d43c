import { join, resolve } from "node:path";
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import * as NodeServices from "@effect/platform-node/NodeServices";
import { Catalog, Core, Housekeeping, MasterKeyFile } from "@quartermaster/core";
import { Mcp } from "@quartermaster/mcp";
import { Storage } from "@quartermaster/storage-sqlite";
import { Effect, FileSystem, Layer } from "effect";
import type { Options } from "./Options.ts";

/** Seconds for fetching the package of an MCP server. */
const prepareSeconds = 300;

/**
 * Creates the data folder: private, and with a `.gitignore` that keeps its keys out of
 * repositories.
 */
const folder = (dataDir: string) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem;
      yield* fs.makeDirectory(dataDir, { recursive: true, mode: 0o700 });
      const ignored = join(dataDir, ".gitignore");
      if (!(yield* fs.exists(ignored))) yield* fs.writeFileString(ignored, "*\n", { mode: 0o600 });
    }),
  );

const catalog = (paths: ReadonlyArray<string>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem;
      const files = yield* Effect.forEach(paths, (path) =>
        Effect.map(fs.readFileString(path), (text) => ({ path, text })),
      );
      return Catalog.Catalog.layerWith(files);
    }),
  );

const housekeeping = Layer.effectDiscard(
  Effect.flatMap(Housekeeping.Housekeeping, ({ run }) => Effect.forkScoped(run)),
);

/**
 * Every service of core on SQLite, with MCP servers, housekeeping, and the ports that the HTTP
 * routes use.
 */
export const layer = ({
  catalogFiles = [],
  durability,
  masterKeyFile,
  allowDirect,
  allowedPaths,
  sandbox,
  spawner,
  ...options
}: Options) => {
  const dataDir = resolve(options.dataDir);
  return housekeeping.pipe(
    Layer.provideMerge(Core.layerMcp),
    Layer.provideMerge(catalog(catalogFiles)),
    Layer.provideMerge(
      Layer.merge(
        Storage.layer({ dataDir, durability }),
        spawner === undefined
          ? Mcp.layer({ dataDir, prepareSeconds, sandbox, allowDirect, allowedPaths })
          : Mcp.layerWith(spawner, { dataDir, prepareSeconds, allowedPaths }),
      ),
    ),
    Layer.provide(MasterKeyFile.layer(masterKeyFile ?? join(dataDir, "secret-key"))),
    Layer.provide(folder(dataDir)),
    Layer.provide([NodeServices.layer, NodeCrypto.layer]),
  );
};
