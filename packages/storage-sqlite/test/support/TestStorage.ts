import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Errors } from "@quartermaster/core";
import type { Wiping } from "@quartermaster/storage-sql";
import { Effect, Layer } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import type { DataVersion } from "../../src/client/DataVersion.ts";
import { Migrations, SqliteClient, Storage } from "../../src/index.ts";

/** A folder that is removed with the scope. */
export const tempFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "quartermaster-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true })),
);

/** Storage in a separate folder. */
export const layer: Layer.Layer<Storage.Ports, Errors.StorageError> = Layer.unwrap(
  Effect.map(tempFolder, (dataDir) => Storage.layer({ dataDir, durability: "normal" })),
);

/** The client with a migrated database, without stores. */
export const layerClient = (
  filename: string,
): Layer.Layer<
  DataVersion | SqlClient.SqlClient | Wiping,
  Errors.StorageError | SqlError.SqlError
> =>
  Layer.effectDiscard(Migrations.run).pipe(
    Layer.provideMerge(SqliteClient.layer({ filename, durability: "normal" })),
  );
