import { join, resolve } from "node:path";
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import * as NodeServices from "@effect/platform-node/NodeServices";
import {
  Catalog,
  Core,
  Deliverer,
  Housekeeping,
  MasterKeyFile,
  MasterKeys,
} from "@quartermaster/core";
import { Mcp, NodeClient } from "@quartermaster/mcp";
import { Storage } from "@quartermaster/storage-sqlite";
import { Effect, FileSystem, Layer, Option } from "effect";
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

/** The work in the background: housekeeping, and deliveries to webhooks. */
const background = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* Effect.forkScoped((yield* Housekeeping.Housekeeping).run);
    yield* Effect.forkScoped((yield* Deliverer.Deliverer).run);
  }),
);

const storage = (options: Options, dataDir: string) =>
  options.storage ?? Storage.layer({ dataDir, durability: options.durability });

/** Programs of a shared database share their key, so that no file of one of them has it. */
const masterKeys = (options: Options, dataDir: string) =>
  options.storage === undefined
    ? MasterKeyFile.layer(options.masterKeyFile ?? join(dataDir, "secret-key"))
    : Option.match(MasterKeyFile.parse(options.masterKey ?? ""), {
        onNone: () =>
          Layer.effectContext(
            Effect.fail(
              new MasterKeyFile.MasterKeyFileError({
                message: `With storage, masterKey must be ${MasterKeyFile.mustBe}`,
              }),
            ),
          ),
        onSome: MasterKeys.MasterKeys.layer,
      });

const mcp = ({ allowDirect, allowedPaths, sandbox, spawner }: Options, dataDir: string) =>
  spawner === undefined
    ? Mcp.layer({ dataDir, prepareSeconds, sandbox, allowDirect, allowedPaths })
    : Mcp.layerWith(spawner, { dataDir, prepareSeconds, allowedPaths });

/**
 * Every service of core on a storage, with MCP servers, housekeeping, and the ports that the HTTP
 * routes use.
 */
export const layer = (options: Options) => {
  const dataDir = resolve(options.dataDir);
  return background.pipe(
    Layer.provideMerge(Core.layerMcp),
    // Other programs and servers share a storage; they do not reach this program.
    Layer.provide(options.storage === undefined ? Layer.empty : NodeClient.layer(null)),
    Layer.provideMerge(catalog(options.catalogFiles ?? [])),
    // The storage may also bring the clock.
    Layer.provideMerge(Layer.provideMerge(mcp(options, dataDir), storage(options, dataDir))),
    Layer.provide(masterKeys(options, dataDir)),
    Layer.provide(folder(dataDir)),
    Layer.provide([NodeServices.layer, NodeCrypto.layer]),
  );
};
