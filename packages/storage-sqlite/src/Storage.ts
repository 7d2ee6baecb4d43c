import { Effect, Layer } from "effect";
import { type AttachmentContent, type Core, Errors } from "@quartermaster/core";
import type { SqlClient } from "effect/sql";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as DiskAttachmentContent from "./DiskAttachmentContent.ts";
import * as Migrations from "./Migrations.ts";
import * as SqlActivityStore from "./SqlActivityStore.ts";
import * as SqlAgentStore from "./SqlAgentStore.ts";
import * as SqlAttachmentStore from "./SqlAttachmentStore.ts";
import * as SqlCommentStore from "./SqlCommentStore.ts";
import * as SqlEventStore from "./SqlEventStore.ts";
import * as SqlIdempotencyStore from "./SqlIdempotencyStore.ts";
import * as SqlIssueStore from "./SqlIssueStore.ts";
import * as SqliteClient from "./SqliteClient.ts";
import * as SqlKeyStore from "./SqlKeyStore.ts";
import * as SqlLinkStore from "./SqlLinkStore.ts";
import * as SqlMcpServerStore from "./SqlMcpServerStore.ts";
import * as SqlRunStore from "./SqlRunStore.ts";
import * as SqlSessionStore from "./SqlSessionStore.ts";
import * as SqlToolCallStore from "./SqlToolCallStore.ts";
import * as SqlTransactor from "./SqlTransactor.ts";
import * as StorageErrors from "./StorageErrors.ts";

export interface Options {
  /** Made with mode 0700 if it is not there. Several processes may use it at the same time. */
  readonly dataDir: string;
  /** See `SqliteClient.Options`. */
  readonly durability?: "full" | "normal" | undefined;
}

/** What core needs of a storage. */
export type Ports = Core.Storage;

/** The stores that need nothing but a `SqlClient` whose database is migrated. */
export const layerStores: Layer.Layer<
  Exclude<Ports, AttachmentContent.AttachmentContent>,
  never,
  SqlClient.SqlClient
> = Layer.mergeAll(
  SqlActivityStore.layer,
  SqlAgentStore.layer,
  SqlAttachmentStore.layer,
  SqlCommentStore.layer,
  SqlEventStore.layer,
  SqlIdempotencyStore.layer,
  SqlIssueStore.layer,
  SqlKeyStore.layer,
  SqlLinkStore.layer,
  SqlMcpServerStore.layer,
  SqlRunStore.layer,
  SqlSessionStore.layer,
  SqlToolCallStore.layer,
  SqlTransactor.layer,
);

/** The database of a data directory. */
export const databaseFile = (dataDir: string): string => join(dataDir, "quartermaster.db");

const client = ({ dataDir, durability }: Options) => {
  const filename = databaseFile(dataDir);
  return SqliteClient.layer({ filename, durability }).pipe(
    Layer.catchTag("SqlError", (error) => {
      const { cause, isRetryable, reason } = StorageErrors.fromSqlError(error);
      const told = `${filename}: ${reason}`;
      return Layer.effectContext(
        Effect.fail(new Errors.StorageError({ reason: told, isRetryable, cause })),
      );
    }),
  );
};

const folder = (options: Options) =>
  Layer.effectDiscard(
    Effect.tryPromise({
      try: () => mkdir(options.dataDir, { recursive: true, mode: 0o700 }),
      catch: StorageErrors.fromFileError,
    }),
  );

/** Every port, on `quartermaster.db` and the folder `attachments` in the data directory. */
export const layer = (options: Options): Layer.Layer<Ports, Errors.StorageError> =>
  Layer.mergeAll(
    layerStores,
    DiskAttachmentContent.layer({
      folder: join(options.dataDir, "attachments"),
      durability: options.durability,
    }),
  ).pipe(
    Layer.provide(Layer.effectDiscard(Migrations.run)),
    Layer.provide(client(options)),
    Layer.provide(folder(options)),
  );
