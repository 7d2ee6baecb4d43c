import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, open as openFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pipeline } from "node:stream/promises";
import { Effect, type Scope, Stream } from "effect";
import { SqlClient, type SqlError } from "effect/sql";
import { writeAll } from "../backup/Archive.ts";
import { at, BackupError } from "../backup/BackupError.ts";
import { attempt } from "../backup/Files.ts";
import * as Snapshot from "../backup/Snapshot.ts";
import * as SqliteClient from "../client/SqliteClient.ts";
import * as DiskAttachmentContent from "../files/DiskAttachmentContent.ts";
import * as ReadOnly from "../files/ReadOnly.ts";
import * as RestoringFolder from "../files/RestoringFolder.ts";
import * as Inspection from "../inspection/Inspection.ts";
import { manifest } from "../migrations/manifest.ts";
import * as Migrations from "../migrations/Migrations.ts";
import * as Schema from "../migrations/Schema.ts";

/** A data directory as the source or the target of a move between engines. */

/** A data directory that no process uses. */
export interface Source {
  readonly sql: SqlClient.SqlClient;
  /** The SHA-256 of the database file. */
  readonly id: string;
  /** Reads the bytes of an attachment. */
  readonly bytesOf: (attachmentId: string) => Stream.Stream<Uint8Array, BackupError>;
  /** The names of MCP servers that have a folder in the directory. */
  readonly folders: ReadonlyArray<string>;
}

const refused = (message: string) => new BackupError({ message });

/**
 * Opens a database as its only process: this fails while another one has it open, and no other one can
 * open it until it is closed.
 */
const openAlone = (file: string): DatabaseSync => {
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec("PRAGMA locking_mode=EXCLUSIVE; PRAGMA wal_checkpoint(TRUNCATE)");
    db.prepare("SELECT 1 FROM sqlite_schema").get();
    return db;
  } catch (cause) {
    db.close();
    if (cause instanceof Error && "errcode" in cause && cause.errcode === 5) {
      throw refused(`${file} is in use. Stop every server on ${dirname(file)}, and try again.`);
    }
    throw cause;
  }
};

const hashOf = async (file: string) => {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
};

/** The reason why a database cannot be moved; undefined if it can. */
const obstacle = (dataDir: string, db: DatabaseSync): string | undefined => {
  const migrations = ReadOnly.migrations(db);
  if (migrations === undefined) return "has no data of Quartermaster. Name a data directory";
  const foreign = Snapshot.foreignMigrations(migrations);
  if (foreign !== undefined) {
    return `was written by a newer version (it has ${foreign}). Move it with that version`;
  }
  if (migrations.length < Object.keys(manifest).length) {
    return (
      "was written by an older version. Start a server of this version on the directory, which " +
      "migrates it, stop the server, and try again"
    );
  }
  const lost = Inspection.lost(db, dataDir);
  if (lost !== null) {
    return `has lost changes: it ends at event ${lost.found}, but event ${lost.noted} was stored. Restore a backup`;
  }
  const [problem] = [
    ...ReadOnly.texts(db, "PRAGMA quick_check(3)").filter((problem) => problem !== "ok"),
    ...Schema.differences(ReadOnly.schema(db)),
  ];
  return problem === undefined ? undefined : `is damaged (${problem}). Restore a backup`;
};

const bytesIn = (folder: string) => (attachmentId: string) => {
  const path = DiskAttachmentContent.fileOf(folder, attachmentId) ?? folder;
  return Stream.fromAsyncIterable(createReadStream(path), (cause) =>
    cause instanceof Error && "code" in cause && cause.code === "ENOENT"
      ? refused(
          `The bytes of attachment ${attachmentId} are missing (${path}). Put them back from a ` +
            "backup, or delete the attachment.",
        )
      : at(path)(cause),
  );
};

/** Opens a data directory for reading, until the scope closes. */
export const open = Effect.fnUntraced(function* (
  dataDir: string,
): Effect.fn.Return<Source, BackupError, Scope.Scope> {
  const file = join(dataDir, "quartermaster.db");
  if (RestoringFolder.isThere(dataDir)) {
    return yield* refused(
      `A restore of ${dataDir} is running or was interrupted. Finish it, and try again.`,
    );
  }
  if (!existsSync(file)) {
    return yield* refused(`There is no database in ${dataDir}: name a server's data directory.`);
  }
  // A file that is read and closed loses the locks that SQLite holds on it in this process.
  const id = yield* attempt(file, async () => {
    openAlone(file).close();
    return hashOf(file);
  });
  const db = yield* Effect.acquireRelease(
    attempt(file, async () => openAlone(file)),
    (db) => Effect.sync(() => db.close()),
  );
  const reason = yield* attempt(file, async () => obstacle(dataDir, db));
  if (reason !== undefined) return yield* refused(`${file} ${reason}.`);
  db.exec("PRAGMA query_only=ON");
  const servers = ReadOnly.rows(db, "SELECT id, name FROM mcp_servers ORDER BY name");
  return {
    sql: yield* SqliteClient.onConnection(db),
    id,
    bytesOf: bytesIn(join(dataDir, "attachments")),
    folders: servers.flatMap(({ id, name }) =>
      existsSync(join(dataDir, "servers", String(id))) ? [String(name)] : [],
    ),
  };
});

/** A new data directory to fill. */
export interface Target {
  readonly sql: SqlClient.SqlClient;
  /** Writes the bytes of an attachment. */
  readonly write: <E, R>(
    attachmentId: string,
    bytes: Stream.Stream<Uint8Array, E, R>,
  ) => Effect.Effect<void, BackupError | E, R>;
  /** Creates indexes and triggers, after all rows. */
  readonly complete: Effect.Effect<void, SqlError.SqlError>;
}

/** Creates a data directory with a database that has tables only. Nothing is synced to disk. */
export const create = Effect.fnUntraced(function* (
  dataDir: string,
): Effect.fn.Return<Target, BackupError | SqlError.SqlError, Scope.Scope> {
  const file = join(dataDir, "quartermaster.db");
  const db = yield* Effect.acquireRelease(
    attempt(file, async () => {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      return new DatabaseSync(file, { enableForeignKeyConstraints: false });
    }),
    (db) => Effect.sync(() => db.close()),
  );
  db.exec("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-65536");
  const sql = yield* SqliteClient.onConnection(db);
  const onFile = Effect.provideService(SqlClient.SqlClient, sql);
  yield* onFile(Migrations.createTables);
  return {
    sql,
    write: (attachmentId, bytes) => {
      const path = DiskAttachmentContent.fileOf(join(dataDir, "attachments"), attachmentId) ?? file;
      const handle = attempt(path, async () => {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        return openFile(path, "wx", 0o600);
      });
      return Effect.acquireUseRelease(
        handle,
        (handle) =>
          Stream.runForEach(bytes, (chunk) => attempt(path, () => writeAll(handle, chunk))),
        (handle) => Effect.promise(() => handle.close()),
      );
    },
    complete: Effect.asVoid(onFile(Migrations.createRest)),
  };
});
