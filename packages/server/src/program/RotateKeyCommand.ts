import { Storage } from "@quartermaster/storage-sqlite";
import { Effect, FileSystem, Layer } from "effect";
import { ServerConfig } from "../config/ServerConfig.ts";
import { StartError } from "../config/StartError.ts";
import * as RotateKey from "../data/RotateKey.ts";
import * as Server from "../Server.ts";
import * as LocalPorts from "./LocalPorts.ts";

/**
 * Fails without data: storage would create a misspelled data directory, and the rotation would find
 * no secrets and "succeed".
 */
const hasData = Effect.gen(function* () {
  const { dataDir } = yield* ServerConfig;
  const fs = yield* FileSystem.FileSystem;
  if (yield* Effect.orElseSucceed(fs.exists(Storage.databaseFile(dataDir)), () => true)) return;
  return yield* new StartError({
    message: `There is no database in ${dataDir}: name the server's data directory in QM_DATA_DIR.`,
  });
}).pipe(Effect.provide(ServerConfig.layer));

export const run = Effect.andThen(
  hasData,
  Effect.provide(
    RotateKey.run,
    Layer.provideMerge(LocalPorts.storageWith("full"), Server.foundation),
  ),
);
