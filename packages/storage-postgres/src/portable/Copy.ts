import { AttachmentContent, type Errors } from "@quartermaster/core";
import { Portable, SearchFill, StorageErrors } from "@quartermaster/storage-sql";
import { Effect, Stream } from "effect";
import { SqlClient, type SqlError } from "effect/sql";
import * as BackupLock from "../attachments/BackupLock.ts";
import * as PostgresClient from "../client/PostgresClient.ts";
import * as Migrations from "../migrations/Migrations.ts";
import * as Storage from "../Storage.ts";
import { Refused } from "./Sides.ts";

/** Copies a whole service to an empty database of another engine. */

export interface Target<E> {
  readonly sql: SqlClient.SqlClient;
  readonly write: (
    attachmentId: string,
    bytes: Stream.Stream<Uint8Array, Errors.StorageError>,
  ) => Effect.Effect<void, E | Errors.StorageError>;
  readonly complete: Effect.Effect<void, SqlError.SqlError>;
}

const all = Effect.fnUntraced(function* <E>(schema: string, target: Target<E>) {
  const sql = yield* SqlClient.SqlClient;
  const { read } = yield* AttachmentContent.AttachmentContent;
  yield* sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`.unprepared;
  yield* Migrations.withoutLimits;
  const { missing, unknown } = yield* Migrations.state(schema);
  if (missing.length > 0 || unknown.length > 0 || (yield* Migrations.isMoving)) {
    return yield* new Refused({
      message: `The schema ${schema} has no complete service of this version. Run quartermaster doctor.`,
    });
  }
  for (const table of Portable.tables) {
    const columns = yield* Portable.columnsOf(target.sql, table);
    yield* Portable.copy(sql, target.sql, table, columns);
  }
  yield* SearchFill.run(sql, target.sql);
  yield* target.sql.withTransaction(Portable.continueNumbers(sql, target.sql));
  yield* target.complete;
  const attachments = Portable.slices(sql, { name: "attachments", key: ["seq"] }, [
    "id",
    "size",
    "seq",
  ]);
  yield* Stream.runForEach(
    attachments,
    Effect.forEach(([id, size]) => target.write(id ?? "", read(id ?? "", 0, Number(size))), {
      discard: true,
    }),
  );
});

/** Copies one state of the database, while servers write to it. */
export const run = <E>(
  database: Storage.Options,
  target: Target<E>,
): Effect.Effect<void, E | Refused | Errors.StorageError> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.andThen(
      BackupLock.hold,
      sql.withTransaction(all(PostgresClient.schemaOf(database), target)),
    ),
  ).pipe(
    Effect.scoped,
    Effect.provide(Storage.layerContent(database.s3)),
    Effect.provide(PostgresClient.layer({ ...database, pool: 3, hasSlowStatements: true })),
    StorageErrors.mappedAmong,
  );
