import { join } from "node:path";
import { AttachmentContent, Errors } from "@quartermaster/core";
import { Clause, Prepared, StorageErrors } from "@quartermaster/storage-sql";
import { Effect, Layer, Option, type Scope, Stream } from "effect";
import { SqlClient } from "effect/sql";
import * as BackupLock from "./BackupLock.ts";
import * as Bucket from "./Bucket.ts";
import * as DatabaseAttachmentContent from "./DatabaseAttachmentContent.ts";
import * as Discards from "./Discards.ts";
import * as Spool from "./Spool.ts";

/**
 * Attachment bytes in an S3 bucket, one object per attachment. Attachments from before, whose bytes
 * are in the database, stay there.
 *
 * States of an upload
 * - spooled: a file without a name on this node.
 * - noted: as `Discards` explains, before the object is sent.
 * - received: the object is in the bucket, whole.
 * - stored: the row is committed, without a note.
 *
 * A scope that closes removes a received object. One that was noted only may still arrive in the
 * bucket, so its note stays until the hour is over.
 */

export interface Options extends Bucket.Options {
  /** The folder of spooled files. An upload creates it. */
  readonly spool: string;
}

const { clause } = Clause;
const { mapped } = StorageErrors;

/** A download holds this much in memory, and reads more when its client has taken it. */
const partBytes = 1024 * 1024;

const lost = (attachmentId: string) =>
  new Errors.StorageError({
    reason: `The object of the attachment ${attachmentId} is shorter than the attachment`,
    isRetryable: false,
  });

const backupReads = new Errors.StorageError({
  reason: "A backup is reading the attachments. Their bytes are removed after it",
  isRetryable: true,
});

/** The response to a request does not say what the bucket refused. The log does. */
const logged = <A>(request: Effect.Effect<A, Errors.StorageError>) =>
  Effect.tapError(request, ({ reason }) => Effect.logWarning(reason));

const make = Effect.fnUntraced(function* ({ spool, ...options }: Options) {
  const sql = yield* SqlClient.SqlClient;
  const bucket = yield* Bucket.make(options);
  const database = yield* DatabaseAttachmentContent.make;
  const { alone, keep, note } = Discards.make(sql);

  /** Makes the note due, which waits for a commit whose outcome is unknown, then removes both. */
  const discard = Effect.fnUntraced(function* (attachmentId: string) {
    const notes = yield* alone(clause`UPDATE discarded_attachments SET not_before = now()
      WHERE id = ${attachmentId} RETURNING 1`);
    if (notes.length === 0) return;
    yield* bucket.remove(attachmentId);
    yield* alone(clause`DELETE FROM discarded_attachments WHERE id = ${attachmentId}`);
  });

  const receive = Effect.fnUntraced(function* <E, R>(
    attachmentId: string,
    bytes: Stream.Stream<Uint8Array, E, R>,
    limitBytes: number,
  ): Effect.fn.Return<
    AttachmentContent.ReceivedContent,
    E | Errors.PayloadTooLarge | Errors.StorageError,
    R | Scope.Scope
  > {
    const upload = yield* Spool.receive(join(spool, attachmentId), bytes, limitBytes);
    yield* note(attachmentId);
    yield* logged(bucket.put(attachmentId, upload));
    yield* Effect.addFinalizer(() => Effect.ignore(discard(attachmentId), { log: "Warn" }));
    return {
      size: upload.size,
      sha256: upload.sha256.toString("hex"),
      keep: keep(attachmentId),
    };
  });

  const part = Effect.fnUntraced(function* (attachmentId: string, start: number, end: number) {
    const bytes = yield* logged(bucket.get(attachmentId, start, end));
    return bytes.length === end - start ? bytes : yield* Effect.fail(lost(attachmentId));
  });

  const fromBucket = (attachmentId: string, start: number, end: number) =>
    Stream.paginate(start, (at) => {
      if (at >= end) return Effect.succeed([[], Option.none<number>()] as const);
      const next = Math.min(at + partBytes, end);
      return Effect.map(
        part(attachmentId, at, next),
        (bytes) => [[bytes], Option.some(next)] as const,
      );
    });

  const isInDatabase = (attachmentId: string) =>
    mapped(
      Prepared.count(
        sql,
        clause`SELECT 1 FROM attachment_bytes WHERE attachment_id = ${attachmentId} LIMIT 1`,
      ),
    );

  return AttachmentContent.AttachmentContent.of({
    receive,
    read: (attachmentId, start, end) =>
      Stream.unwrap(
        Effect.map(isInDatabase(attachmentId), (rows) =>
          rows > 0 ? database.read(attachmentId, start, end) : fromBucket(attachmentId, start, end),
        ),
      ),
    remove: Effect.fnUntraced(function* (attachmentId) {
      if (yield* BackupLock.isHeld(sql)) return yield* backupReads;
      yield* database.remove(attachmentId);
      yield* bucket.remove(attachmentId);
    }),
  });
});

/** Attachment bytes in a bucket, with the notes of uploads in the current `SqlClient`. */
export const layer = (
  options: Options,
): Layer.Layer<AttachmentContent.AttachmentContent, Errors.StorageError, SqlClient.SqlClient> =>
  Layer.effect(AttachmentContent.AttachmentContent, make(options));
