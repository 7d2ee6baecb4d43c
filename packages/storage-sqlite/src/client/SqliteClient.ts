import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { Wiping } from "@quartermaster/storage-sql";
import { Effect, Layer, Stream } from "effect";
import { Reactivity } from "effect/reactivity";
import { type SqlConnection, SqlClient, SqlError, Statement } from "effect/sql";
import { DataVersion } from "./DataVersion.ts";
import * as GroupCommit from "./GroupCommit.ts";
import { pause } from "./Pause.ts";

/**
 * The driver: `SqlClient` on `node:sqlite`. It has two connections. Statements of a transaction use
 * the writer. All others use the reader, which sees committed changes, waits for no transaction,
 * and refuses writes. Transactions run one after the other and share commits: see GroupCommit.
 */

export interface Options {
  readonly filename: string;
  /**
   * `full`: committed changes survive a power loss. `normal`: they survive a crash of the process.
   * Default: `full`.
   */
  readonly durability?: "full" | "normal" | undefined;
  /** Called after every COMMIT; `isSynced`: a power loss undoes neither it nor an earlier one. */
  readonly onCommit?: ((isSynced: boolean) => void) | undefined;
}

const statementsKept = 256;
/** Of each connection. The system has the other pages in memory: 32 MiB for the writer made no request faster. */
const cacheKiB = 8 * 1024;

/**
 * The size of the write-ahead log at a checkpoint: 16 MiB. A checkpoint copies a page only once,
 * however often it changed.
 */
const checkpointPages = 4096;

const sqlError = (cause: unknown, operation: string) => {
  if (cause instanceof Error && "errcode" in cause) {
    Object.assign(cause, { errno: cause.errcode });
  }
  return new SqlError.SqlError({
    reason: SqlError.classifySqliteError(cause, {
      message: cause instanceof Error ? cause.message : "SQLite failed",
      operation,
    }),
  });
};

type Failure = (cause: unknown, operation: string) => Effect.Effect<never, SqlError.SqlError>;

const failure: Failure = (cause, operation) => Effect.fail(sqlError(cause, operation));

/**
 * The reader runs `query_only`, so a write fails with SQLITE_READONLY (8). That is a defect of the
 * caller, not a failure of the storage.
 */
const failureOfReader: Failure = (cause, operation) =>
  cause instanceof Error && "errcode" in cause && cause.errcode === 8
    ? Effect.die(
        new Error("A write outside of a transaction. Call it within `Transactor.transact`", {
          cause,
        }),
      )
    : failure(cause, operation);

const attempt = <A>(
  operation: string,
  f: () => A,
  fail: Failure = failure,
): Effect.Effect<A, SqlError.SqlError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(f());
    } catch (cause) {
      return fail(cause, operation);
    }
  });

const bind = (params: ReadonlyArray<unknown>) =>
  params.map((param) =>
    typeof param === "boolean" ? Number(param) : ((param ?? null) as SQLInputValue),
  );

/** Prepared statements by text: the most recently used ones, at least half of `statementsKept`. */
const statements = (db: DatabaseSync, returnArrays: boolean) => {
  let recent = new Map<string, StatementSync>();
  let older = recent;
  const prepare = (sql: string) => {
    const statement = db.prepare(sql);
    statement.setReturnArrays(returnArrays);
    return statement;
  };
  return (sql: string): StatementSync => {
    const known = recent.get(sql);
    if (known !== undefined) return known;
    const statement = older.get(sql) ?? prepare(sql);
    if (recent.size >= statementsKept / 2) {
      older = recent;
      recent = new Map();
    }
    recent.set(sql, statement);
    return statement;
  };
};

const pauseMillis = 2;

/** A transaction waits up to 5 seconds for another process that writes. */
const patience = {
  attempts: 5_000 / pauseMillis,
  pause: pause(pauseMillis),
};

/** The vocabulary of the search index: the search reads which words exist. */
const issueWords =
  "CREATE VIRTUAL TABLE temp.issue_words USING fts5vocab('main', 'issue_text', 'instance')";

const openAttempts = 250;

/**
 * When several processes open a new database at the same time, one sets its journal mode. SQLite
 * fails the others with "busy", whatever their busy timeout, so they retry for 5 seconds.
 */
const connected = (
  filename: string,
  pragmas: ReadonlyArray<string>,
  attempts = openAttempts,
): Effect.Effect<DatabaseSync, SqlError.SqlError> =>
  attempt("open", () => {
    const db = new DatabaseSync(filename);
    try {
      for (const pragma of pragmas) db.exec(`PRAGMA ${pragma}`);
      db.exec(issueWords);
      return db;
    } catch (cause) {
      db.close();
      throw cause;
    }
  }).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "LockTimeoutError" && attempts > 1,
      () => Effect.andThen(Effect.sleep("20 millis"), connected(filename, pragmas, attempts - 1)),
    ),
  );

const open = (filename: string, pragmas: ReadonlyArray<string>) =>
  Effect.acquireRelease(connected(filename, pragmas), (db) => Effect.sync(() => db.close()));

const connect = (db: DatabaseSync, fail: Failure): SqlConnection.Connection => {
  const execute = <A>(f: () => A) => attempt("execute", f, fail);
  const prepare = statements(db, false);
  const prepareArrays = statements(db, true);
  const values = (statement: StatementSync, params: ReadonlyArray<unknown>) =>
    statement.all(...bind(params)) as unknown as ReadonlyArray<ReadonlyArray<unknown>>;
  return {
    execute: (sql, params, transformRows) =>
      execute(() => {
        const rows = prepare(sql).all(...bind(params));
        return transformRows === undefined ? rows : transformRows(rows);
      }),
    executeRaw: (sql, params) => execute(() => prepare(sql).run(...bind(params))),
    executeValues: (sql, params) => execute(() => values(prepareArrays(sql), params)),
    executeValuesUnprepared: (sql, params) =>
      execute(() => {
        const statement = db.prepare(sql);
        statement.setReturnArrays(true);
        return values(statement, params);
      }),
    executeUnprepared: (sql, params, transformRows) =>
      execute(() => {
        const rows = db.prepare(sql).all(...bind(params));
        return transformRows === undefined ? rows : transformRows(rows);
      }),
    executeStream: () => Stream.die("SqliteClient does not stream. Read slices"),
  };
};

/** Opens the database. Closing the scope closes it. */
export const make = Effect.fnUntraced(function* (options: Options) {
  // In memory, because savepoints save pages to it: a temporary file per group of transactions
  // takes longer than all statements of the group.
  const common = ["foreign_keys=ON", "temp_store=MEMORY"];
  const writer = yield* open(options.filename, [
    "busy_timeout=5000",
    "journal_mode=WAL",
    `synchronous=${options.durability === "normal" ? "NORMAL" : "FULL"}`,
    "journal_size_limit=67108864",
    `wal_autocheckpoint=${checkpointPages}`,
    `cache_size=-${cacheKiB}`,
    // Overwrites deleted and replaced data with zeros: see Wiping.
    "secure_delete=ON",
    ...common,
    // A busy timeout would block this thread while another process writes. GroupCommit waits
    // instead.
    "busy_timeout=0",
  ]);
  const reader = yield* open(options.filename, [
    "busy_timeout=5000",
    `cache_size=-${cacheKiB}`,
    ...common,
  ]);
  yield* attempt("open", () => reader.exec("PRAGMA query_only=ON"));
  const readerConnection = connect(reader, failureOfReader);

  const client = yield* SqlClient.make({
    acquirer: Effect.succeed(readerConnection),
    borrower: (f) => f(readerConnection),
    compiler: Statement.makeCompilerSqlite(),
    driver: "quartermaster-node-sqlite",
    spanAttributes: [
      ["db.system.name", "sqlite"],
      ["db.namespace", "quartermaster"],
    ],
  });
  const connection = connect(writer, failure);
  let isRelaxed = options.durability === "normal";
  const { afterCommit, alone, withTransaction } = GroupCommit.make({
    connection,
    isTransaction: () => writer.isTransaction,
    setRelaxed: (next) => {
      if (next === isRelaxed || options.durability === "normal") return;
      // A prepared statement would set it only once: SQLite executes this pragma while it compiles it.
      writer.exec(`PRAGMA synchronous=${next ? "NORMAL" : "FULL"}`);
      isRelaxed = next;
    },
    onCommit: (isSynced) => options.onCommit?.(isSynced && options.durability !== "normal"),
    service: client.transactionService,
    patience,
  });

  const tryTruncate = alone(
    Effect.map(
      connection.executeValues("PRAGMA wal_checkpoint(TRUNCATE)", []),
      ([row]) => row?.[0] === 0,
    ),
  );
  const truncateLog = (attempts: number): Effect.Effect<boolean, SqlError.SqlError> =>
    Effect.flatMap(tryTruncate, (done) =>
      done || attempts === 1
        ? Effect.succeed(done)
        : Effect.andThen(patience.pause, truncateLog(attempts - 1)),
    );

  const readVersion = writer.prepare("PRAGMA data_version");
  readVersion.setReturnArrays(true);
  return Object.assign(client, {
    afterCommit,
    withTransaction,
    dataVersion: () => Number((readVersion.get() as unknown as readonly [number])[0]),
    /**
     * Truncates the write-ahead log. Returns false if other processes used the database for 5
     * seconds.
     */
    truncateLog: truncateLog(patience.attempts),
  });
});

/** A client whose statements and transactions use this one connection. */
export const onConnection = (db: DatabaseSync): Effect.Effect<SqlClient.SqlClient> =>
  SqlClient.make({
    acquirer: Effect.succeed(connect(db, failure)),
    compiler: Statement.makeCompilerSqlite(),
    driver: "quartermaster-node-sqlite",
    spanAttributes: [["db.system.name", "sqlite"]],
  }).pipe(Effect.provide(Reactivity.layer));

/** The client of a database file. */
export const layer = (
  options: Options,
): Layer.Layer<SqlClient.SqlClient | DataVersion | Wiping, SqlError.SqlError> =>
  Layer.unwrap(
    Effect.map(make(options), (client) =>
      Layer.provideMerge(
        Wiping.layer(Effect.orElseSucceed(client.truncateLog, () => false)),
        Layer.merge(
          Layer.succeed(SqlClient.SqlClient, client),
          Layer.succeed(DataVersion, client.dataVersion),
        ),
      ),
    ),
  ).pipe(Layer.provide(Reactivity.layer));
