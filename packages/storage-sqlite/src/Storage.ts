import { Effect, Layer } from "effect";
import { type AttachmentContent, type Core, Errors } from "@quartermaster/core";
import type { SqlClient } from "effect/sql";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as DiskAttachmentContent from "./files/DiskAttachmentContent.ts";
import * as Migrations from "./migrations/Migrations.ts";
import * as SqlActivityStore from "./issues/SqlActivityStore.ts";
import * as SqlAgentStore from "./agents/SqlAgentStore.ts";
import * as SqlAttachmentStore from "./issues/SqlAttachmentStore.ts";
import * as SqlCommentStore from "./issues/SqlCommentStore.ts";
import * as SqlEventStore from "./events/SqlEventStore.ts";
import * as SqlIdempotencyStore from "./idempotency/SqlIdempotencyStore.ts";
import * as SqlIssueStore from "./issues/SqlIssueStore.ts";
import * as SqliteClient from "./client/SqliteClient.ts";
import * as SqlKeyStore from "./keys/SqlKeyStore.ts";
import * as SqlLinkStore from "./issues/SqlLinkStore.ts";
import * as SqlMcpServerStore from "./mcp/SqlMcpServerStore.ts";
import * as SqlRunStore from "./runs/SqlRunStore.ts";
import * as SqlSessionStore from "./keys/SqlSessionStore.ts";
import * as SqlToolCallStore from "./mcp/SqlToolCallStore.ts";
import * as SqlTransactor from "./client/SqlTransactor.ts";
import * as StorageErrors from "./client/StorageErrors.ts";

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
    }),
  ).pipe(
    Layer.provide(Layer.effectDiscard(Migrations.run)),
    Layer.provide(client(options)),
    Layer.provide(folder(options)),
  );
