import { readFileSync } from "node:fs";
import { type PgClient, PgConnection, PgPool, PgTypes } from "@effect/sql-pg";
import { Errors } from "@quartermaster/core";
import { Dialect, IssueNumbers, StorageErrors } from "@quartermaster/storage-sql";
import { Clock, Context, Effect, Layer, type Redacted, Result } from "effect";
import { Reactivity } from "effect/reactivity";
import { SqlClient, SqlError } from "effect/sql";
import * as Connections from "./Connections.ts";
import * as DrawnNumbers from "./DrawnNumbers.ts";
import { pause } from "./Pause.ts";
import * as Reachability from "./Reachability.ts";
import * as Transactions from "./Transactions.ts";

/** The driver: a pool of connections whose rows have the same cells as rows of SQLite. */

/** The address of the database and the login: the settings that clients share. */
export type Address = Pick<
  PgClient.PgClientConfig,
  "url" | "host" | "port" | "path" | "ssl" | "database" | "username" | "password"
>;

/** The other settings of the connections. */
export interface Settings {
  /**
   * The URL of the connections that listen for events and draw numbers of issues, past a pooler. Default: `url`.
   */
  readonly directUrl?: Redacted.Redacted | undefined;
  /** The schema of all tables. Default: `quartermaster`. */
  readonly schema?: string | undefined;
  /**
   * The most connections at a time, without the one that listens and the one that draws numbers; at least 2, because the removal of
   * old events needs a second one inside its transaction. Default: 10.
   */
  readonly pool?: number | undefined;
  /** False for poolers that do not keep named statements. Default: true. */
  readonly prepare?: boolean | undefined;
  /** The file of the certificates that may sign the server's. Default: the certificates of Node. */
  readonly caFile?: string | undefined;
  /** True for migrations: statements may take longer than 6 seconds. Default: false. */
  readonly hasSlowStatements?: boolean | undefined;
}

export interface Options extends Settings {
  /** `postgres://user:password@host:port/database`. `sslmode=require` verifies the certificate. */
  readonly url: Redacted.Redacted;
}

/** The address of a client's database. */
export const addressOf = ({ config }: PgClient.PgClient): Address => ({
  url: config.url,
  host: config.host,
  port: config.port,
  path: config.path,
  ssl: config.ssl,
  database: config.database,
  username: config.username,
  password: config.password,
});

export const schemaOf = ({ schema = "quartermaster" }: Pick<Settings, "schema">): string => schema;

type Codec<A> = PgTypes.Codec<A>;

/** The object ids of the types whose cells differ from cells of SQLite. */
const { bool, int8, numeric, text } = PgTypes.OID;

/** A codec that reads with the driver's own codec, and converts the value. */
const reading = <A>(oid: number, convert: (value: never) => A): Codec<A> => ({
  encode: (value) => PgTypes.encode(value, oid),
  decode: (bytes) => Result.map(PgTypes.decode(bytes, oid, 1), (value) => convert(value as never)),
});

const registry = (): PgTypes.Registry => {
  const types = PgTypes.makeRegistry();
  types.register(bool, reading(bool, Number));
  types.register(int8, reading(int8, Number));
  types.register(numeric, reading(numeric, Number));
  types.register(text, reading(text, Dialect.fromPostgresText));
  return types;
};

/** The longest wait for a connection. */
const poolSeconds = 5;

const poolOf = ({ pool = 10 }: Settings): number => Math.max(2, pool);

const configOf = (options: Address & Settings, ca: Buffer | undefined) => ({
  url: options.url,
  host: options.host,
  port: options.port,
  path: options.path,
  ssl: ca === undefined ? options.ssl : { ca },
  database: options.database,
  username: options.username,
  password: options.password,
  applicationName: "quartermaster",
  connectTimeout: "5 seconds" as const,
  keepAlive: "10 seconds" as const,
  connectionTTL: "5 minutes" as const,
  // One listens as long as the storage.
  maxConnections: poolOf(options) + (options.directUrl === undefined ? 1 : 0),
  maxMessageSize: 64 * 1024 * 1024,
  prepare: options.prepare ?? true,
  preparedStatementCacheSize: 256,
  // Statements of one transaction are sent together. A connection is not shared.
  multiplex: true,
  multiplexConcurrency: 1,
  startupParameters: { search_path: `"${schemaOf(options)}", pg_catalog` },
  types: registry(),
});

/** Connections time out by the machine's clock, not by one that a test or the database sets. */
const byMachine = Effect.provideService(Clock.Clock, Clock.Clock.defaultValue());

const busy = new SqlError.SqlError({
  reason: new SqlError.LockTimeoutError({
    message: `The database is busy: no connection was free for ${poolSeconds} seconds`,
    cause: undefined,
    operation: "acquire",
  }),
});

type Get = PgPool.PgPool["get"];

/** Limits the wait for a connection, which the pool does not. A wait costs a fiber and a timer. */
const impatient = (get: Get, connections: number): Get => {
  let count = 0;
  const counted = Effect.acquireRelease(
    Effect.sync(() => count++),
    () => Effect.sync(() => count--),
  );
  const limited = Effect.raceFirst(
    get,
    Effect.andThen(pause(poolSeconds * 1_000), Effect.fail(busy)),
  );
  return Effect.flatMap(counted, (others) => (others < connections ? get : limited));
};

const make = Effect.fnUntraced(function* (options: Address & Settings, ca: Buffer | undefined) {
  const config = configOf(options, ca);
  const { open, reachability } = yield* Reachability.make(config);
  const { directUrl, hasSlowStatements = false } = options;
  const { get } = yield* PgPool.make(hasSlowStatements ? config : { ...config, stream: open });
  const { client, connections, lookups } = yield* Connections.make(
    hasSlowStatements ? get : impatient(get, poolOf(options)),
    directUrl === undefined ? get : byMachine(PgConnection.make({ ...config, url: directUrl })),
  );
  // A pooler may lend all of its connections to transactions that wait for a number.
  const direct = directUrl === undefined ? config : { ...config, url: directUrl };
  const drawn = directUrl === undefined ? { open } : yield* Reachability.make(direct);
  const drawing = yield* PgPool.make({ ...direct, maxConnections: 1, stream: drawn.open });
  const { client: drawer } = yield* Connections.make(drawing.get, drawing.get);
  const afterCommit = Transactions.afterCommit(client.transactionService);
  return Context.make(SqlClient.SqlClient, Object.assign(client, { afterCommit, lookups })).pipe(
    Context.add(Connections.Connections, connections),
    Context.add(IssueNumbers, DrawnNumbers.make(drawer)),
    Context.add(Reachability.Reachability, reachability),
  );
});

/** Connections of a database. They are made when they are first needed. */
export const layer = (
  options: Address & Settings,
): Layer.Layer<
  Connections.Connections | IssueNumbers | SqlClient.SqlClient | Reachability.Reachability,
  Errors.StorageError
> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const ca = yield* Effect.try({
        try: () => (options.caFile === undefined ? undefined : readFileSync(options.caFile)),
        catch: (cause) =>
          new Errors.StorageError({
            reason: `The certificates ${options.caFile} could not be read`,
            isRetryable: false,
            cause,
          }),
      });
      return yield* StorageErrors.mapped(byMachine(make(options, ca)));
    }),
  ).pipe(Layer.provide(Reactivity.layer));
