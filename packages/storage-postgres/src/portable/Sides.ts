import { Portable } from "@quartermaster/storage-sql";
import { Effect, Runtime, Schema, Stream } from "effect";
import type { SqlClient } from "effect/sql";
import { Digest } from "./Digest.ts";

/** The two sides of a move, which are compared. */

/** The reason why nothing was moved. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", { message: Schema.String }) {
  /** The program exits with the code for a refusal. */
  override readonly [Runtime.errorExitCode] = 2;
}

/** A table of both sides. */
export interface Moved {
  readonly table: string;
  readonly count: number;
  readonly digest: string;
}

/** A service that no server changes. */
export interface Source<E> {
  readonly sql: SqlClient.SqlClient;
  /** Names the source and its state. */
  readonly id: string;
  readonly bytesOf: (attachmentId: string) => Stream.Stream<Uint8Array, E>;
}

type Sql = SqlClient.SqlClient;

/** Reads the digest of a table. */
export const digestOf = Effect.fnUntraced(function* (
  sql: Sql,
  table: Portable.Table,
  columns: ReadonlyArray<string>,
) {
  const digest = new Digest();
  yield* Stream.runForEach(Portable.slices(sql, table, columns), (rows) =>
    Effect.sync(() => rows.forEach(digest.add)),
  );
  return digest;
});

export const equal = (table: string, given: Digest, stored: Digest) =>
  given.count === stored.count && given.text === stored.text
    ? Effect.succeed<Moved>({ table, count: stored.count, digest: stored.text })
    : Effect.fail(
        new Refused({
          message:
            `The table ${table} was not moved completely: the source has ${given.count} rows with the digest ` +
            `${given.text}, the database ${stored.count} with ${stored.text}. Drop the schema, and move again.`,
        }),
      );
