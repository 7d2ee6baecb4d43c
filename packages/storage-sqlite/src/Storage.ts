import { join, resolve } from "node:path";
import { type AttachmentContent, type Core, Errors } from "@quartermaster/core";
import { IssueNumbers, Stores, type Wiping } from "@quartermaster/storage-sql";
import { Effect, Layer } from "effect";
import type { SqlClient } from "effect/sql";
import type { DataVersion } from "./client/DataVersion.ts";
import * as SqliteClient from "./client/SqliteClient.ts";
import * as SqlTransactor from "./client/SqlTransactor.ts";
import * as StorageErrors from "./client/StorageErrors.ts";
import * as SqlEventStore from "./events/SqlEventStore.ts";
import * as BackupLock from "./files/BackupLock.ts";
import * as DatabaseFile from "./files/DatabaseFile.ts";
import * as DiskAttachmentContent from "./files/DiskAttachmentContent.ts";
import * as NewestEvent from "./files/NewestEvent.ts";
import * as RestoringFolder from "./files/RestoringFolder.ts";
import * as SqliteKeyStore from "./keys/SqliteKeyStore.ts";
import * as Migrations from "./migrations/Migrations.ts";

export interface Options {
  /** Created with mode 0700. Several processes may share it. */
  readonly dataDir: string;
  /** See `SqliteClient.Options`. */
  readonly durability?: "full" | "normal" | undefined;
}

/** The ports that core requires from a storage. */
export type Ports = Core.Storage;

/** All stores, on a client whose database is migrated. */
export const layerStores: Layer.Layer<
  Exclude<Ports, AttachmentContent.AttachmentContent>,
  never,
  SqlClient.SqlClient | DataVersion | Wiping
> = SqliteKeyStore.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      SqlEventStore.layer,
      SqlTransactor.layer,
      Layer.provide(Stores.layer, IssueNumbers.layer),
    ),
  ),
);

/** The database of a data directory. */
export const databaseFile = (dataDir: string): string => join(dataDir, "quartermaster.db");

/** Prefixes the reason of a failure with the file name. */
const named =
  (filename: string) =>
  ({ cause, isRetryable, reason }: Errors.StorageError) =>
    new Errors.StorageError({ reason: `${filename}: ${reason}`, isRetryable, cause });

/**
 * Opens the database: compares it with the recorded newest event, migrates it, then keeps the
 * record up to date.
 */
const database = ({ dataDir, durability = "full" }: Options) => {
  const filename = databaseFile(dataDir);
  const note = join(dataDir, "newest-event");
  const commits = NewestEvent.makeCommits();
  const client = SqliteClient.layer({
    filename,
    durability,
    onCommit: commits.committed,
  }).pipe(
    Layer.catchTag("SqlError", (error) =>
      Layer.effectContext(
        // SQLite only reports that it cannot read or write. The file system knows the reason.
        Effect.andThen(
          DatabaseFile.tryWrite(dataDir),
          Effect.fail(StorageErrors.fromSqlError(error)),
        ).pipe(Effect.mapError(named(filename))),
      ),
    ),
  );
  const ready = NewestEvent.check(note).pipe(
    Effect.andThen(Migrations.run),
    Effect.andThen(NewestEvent.follow({ filename: note, durability, commits })),
    Effect.mapError(named(filename)),
  );
  const file = Effect.andThen(
    DatabaseFile.makeDirectory(resolve(dataDir)),
    Effect.andThen(RestoringFolder.refuse(dataDir), DatabaseFile.prepare(filename)),
  ).pipe(Effect.mapError(named(filename)));
  return Layer.effectDiscard(ready).pipe(
    Layer.provideMerge(client),
    Layer.provide(Layer.effectDiscard(file)),
  );
};

/**
 * Every port, on `quartermaster.db` and the folder `attachments` in the data directory.
 *
 * @example
 * ```ts
 * import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
 * import { Core, Issues, MasterKeys, Principal } from "@quartermaster/core";
 * import { Storage } from "@quartermaster/storage-sqlite";
 * import { Effect, Layer, Redacted } from "effect";
 *
 * const keys = MasterKeys.MasterKeys.layer([Redacted.make(new Uint8Array(32))]);
 * const quartermaster = Core.layer.pipe(
 *   Layer.provide([Storage.layer({ dataDir: ".quartermaster" }), keys]),
 *   Layer.provide(NodeCrypto.layer),
 * );
 *
 * export const example = Issues.Issues.use((issues) =>
 *   issues.create("shop", { title: "Say hello" }),
 * ).pipe(
 *   Effect.map((issue) => issue.status), // "Open"
 *   Effect.provideService(Principal.CurrentPrincipal, Principal.user("ada")),
 *   Effect.provide(quartermaster),
 * );
 * ```
 */
export const layer = (options: Options): Layer.Layer<Ports, Errors.StorageError> =>
  Layer.mergeAll(
    layerStores,
    DiskAttachmentContent.layer({
      folder: join(options.dataDir, "attachments"),
      durability: options.durability,
      backupLock: BackupLock.fileIn(options.dataDir),
    }),
  ).pipe(Layer.provide(Layer.suspend(() => database(options))));
