import { Storage } from "@quartermaster/storage-sqlite";
import { Effect, FileSystem, Layer } from "effect";
import * as DatabaseFailure from "../config/DatabaseFailure.ts";
import { nameOf } from "../config/DatabaseSettings.ts";
import * as Postgres from "../config/Postgres.ts";
import { ServerConfig } from "../config/ServerConfig.ts";
import { StartError } from "../config/StartError.ts";
import * as RotateKey from "../data/RotateKey.ts";
import * as Server from "../Server.ts";
import * as LocalPorts from "./LocalPorts.ts";

/**
 * Fails without data: storage would create a misspelled data directory or schema, and the rotation
 * would find no secrets and "succeed".
 */
const hasData = Effect.gen(function* () {
  const { database, dataDir } = yield* ServerConfig;
  if (database !== null) {
    const { Inspection } = yield* Postgres.load;
    const { applied } = yield* DatabaseFailure.advised(database, Inspection.inspect(database));
    if (applied.length > 0) return;
    return yield* new StartError({
      message: `There are no tables of Quartermaster in ${nameOf(database)}: name the server's database in QM_DATABASE_URL and QM_DATABASE_SCHEMA.`,
    });
  }
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
