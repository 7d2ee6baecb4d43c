import { Portable } from "@quartermaster/storage-sqlite";
import { Effect, FileSystem, Path } from "effect";
import type { Database } from "../config/DatabaseSettings.ts";
import * as Postgres from "../config/Postgres.ts";
import * as S3Settings from "../config/S3Settings.ts";

/** An empty folder that is removed afterwards. A command that was killed may have left it. */
export const temporary = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem;
  const path = (yield* Path.Path).resolve(folder);
  const remove = fs.remove(path, { recursive: true, force: true });
  yield* Effect.acquireRelease(remove, () => Effect.orDie(remove));
  return path;
});

/**
 * Copies everything in PostgreSQL to a data directory, which is removed after its use: a backup of
 * either engine is a backup of SQLite.
 */
export const use = <A, E, R>(
  database: Database,
  folder: string,
  use: (dataDir: string) => Effect.Effect<A, E, R>,
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { Copy } = yield* Postgres.load;
      const dataDir = yield* temporary(folder);
      const s3 = S3Settings.optionsOf(yield* S3Settings.read, dataDir);
      yield* Effect.scoped(
        Effect.flatMap(Portable.create(dataDir), (target) => Copy.run({ ...database, s3 }, target)),
      );
      return yield* use(dataDir);
    }),
  );
