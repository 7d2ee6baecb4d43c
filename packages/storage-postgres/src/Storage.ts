import { PgClient } from "@effect/sql-pg";
import { type AttachmentContent, type Core, Errors } from "@quartermaster/core";
import { type IssueNumbers, StorageErrors, Wiping } from "@quartermaster/storage-sql";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import * as DatabaseAttachmentContent from "./attachments/DatabaseAttachmentContent.ts";
import * as S3AttachmentContent from "./attachments/S3AttachmentContent.ts";
import type { Connections } from "./client/Connections.ts";
import * as PostgresClient from "./client/PostgresClient.ts";
import * as PostgresTransactor from "./client/PostgresTransactor.ts";
import type { Reachability } from "./client/Reachability.ts";
import * as Waiting from "./client/Waiting.ts";
import * as DatabaseClock from "./DatabaseClock.ts";
import * as PostgresEventStore from "./events/PostgresEventStore.ts";
import * as Migrations from "./migrations/Migrations.ts";
import * as Rules from "./rules/Rules.ts";
import * as Tidying from "./Tidying.ts";

export interface Settings extends PostgresClient.Settings {
  /** Default: `REPEATABLE READ`. `SERIALIZABLE` needs no rule of the stores, and is 3 to 15 times slower. */
  readonly isolation?: PostgresTransactor.Isolation | undefined;
  /**
   * `never` fails instead of migrating a schema that is missing or of an older version, so that the
   * role of the URL needs no right to change tables. Default: `auto`.
   */
  readonly migrate?: "auto" | "never" | undefined;
  /**
   * The seconds for which the layer waits for a database that is out of reach or still starting; 0
   * fails immediately. Default: 60.
   */
  readonly waitSeconds?: number | undefined;
  /** The bucket of attachments. It needs the package `@aws-sdk/client-s3`. Default: the database. */
  readonly s3?: S3AttachmentContent.Options | undefined;
}

export interface Options extends Settings, PostgresClient.Options {}

/** The ports that core requires from a storage. */
export type Ports = Core.Storage;

/** PostgreSQL overwrites nothing in place: the files of a database keep deleted values until it reuses their pages. */
const wiping = Layer.succeed(Wiping, Wiping.of({ afterCommit: Effect.void }));

/** The bytes of attachments. */
export const layerContent = (
  s3: Settings["s3"],
): Layer.Layer<AttachmentContent.AttachmentContent, Errors.StorageError, SqlClient.SqlClient> =>
  s3 === undefined ? DatabaseAttachmentContent.layer : S3AttachmentContent.layer(s3);

/** All stores, on a client of `PostgresClient`, whose database is migrated. */
export const layerStores = ({
  isolation,
  s3,
  schema = "quartermaster",
}: Pick<Options, "isolation" | "s3" | "schema"> = {}): Layer.Layer<
  Ports,
  Errors.StorageError,
  Connections | IssueNumbers | SqlClient.SqlClient | Reachability
> =>
  Layer.mergeAll(
    Rules.layer,
    PostgresEventStore.layer(schema),
    PostgresTransactor.layer(isolation),
    layerContent(s3),
    Tidying.layer,
  ).pipe(Layer.provide(wiping));

/** Fails for a standby: the first write would. */
const writable = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.flatMap(
    StorageErrors.mapped(sql<{ readonly isOn: string }>`
      SELECT current_setting('transaction_read_only') AS "isOn"`),
    ([row]) =>
      row?.isOn === "on"
        ? Effect.fail(
            new Errors.StorageError({ reason: "The database is read-only", isRetryable: true }),
          )
        : Effect.void,
  ),
);

/** The client of the database, and its migrations, which may take long. */
const database = (options: PostgresClient.Address & Settings) => {
  const migrations = options.migrate === "never" ? Migrations.check : Migrations.run;
  const migrated = Layer.effectDiscard(
    Waiting.patiently(
      Effect.provide(
        Effect.andThen(writable, migrations(PostgresClient.schemaOf(options))),
        PostgresClient.layer({ ...options, pool: 1, hasSlowStatements: true }),
      ),
      options.waitSeconds ?? 60,
    ),
  );
  return { client: PostgresClient.layer(options), migrated };
};

/**
 * Every port, in a schema of a PostgreSQL database, for any number of nodes.
 *
 * @example
 * ```ts
 * import { Storage } from "@quartermaster/storage-postgres";
 * import { Layer, Redacted } from "effect";
 *
 * const storage = Storage.layer({
 *   url: Redacted.make("postgres://quartermaster:secret@127.0.0.1:5432/quartermaster"),
 * });
 *
 * // It connects when it is built.
 * export const example = () => Layer.isLayer(storage); // true
 * ```
 */
export const layer = (options: Options): Layer.Layer<Ports, Errors.StorageError> => {
  const { client, migrated } = database(options);
  return layerStores(options).pipe(Layer.provide(client), Layer.provide(migrated));
};

const withClock = (options: PostgresClient.Address & Settings) => {
  const { client, migrated } = database(options);
  return layerStores(options).pipe(
    Layer.provideMerge(DatabaseClock.layer),
    Layer.provide(client),
    Layer.provide(migrated),
  );
};

/**
 * As `layer`, with the clock of the database for everything that it is provided to. Nodes on several
 * machines need it.
 */
export const layerWithClock = (options: Options): Layer.Layer<Ports, Errors.StorageError> =>
  withClock(options);

/**
 * As `layerWithClock`, in the database of the program's own client. It has connections of its own: its
 * statements rely on a search path, types and an isolation that a program's transactions do not have.
 * So a change is never part of a transaction of the program.
 *
 * @example
 * ```ts
 * import { PgClient } from "@effect/sql-pg";
 * import { Storage } from "@quartermaster/storage-postgres";
 * import { Layer, Redacted } from "effect";
 *
 * const client = PgClient.layer({
 *   host: "db.example.com",
 *   database: "shop",
 *   username: "shop",
 *   password: Redacted.make("secret"),
 * });
 * const storage = Storage.layerOfClient({ schema: "quartermaster", pool: 5 });
 *
 * // It connects when it is built.
 * export const example = () => Layer.isLayer(Layer.provide(storage, client)); // true
 * ```
 */
export const layerOfClient = (
  settings: Settings = {},
): Layer.Layer<Ports, Errors.StorageError, PgClient.PgClient> =>
  Layer.unwrap(
    Effect.map(PgClient.PgClient, (client) =>
      withClock({ ...PostgresClient.addressOf(client), ...settings }),
    ),
  );
