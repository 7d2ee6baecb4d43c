import { createHash } from "node:crypto";
import { AttachmentContent, Errors } from "@quartermaster/core";
import { Clause, StorageErrors } from "@quartermaster/storage-sql";
import { Effect, Layer, Option, type Scope, Stream } from "effect";
import { SqlClient } from "effect/sql";
import { chunkBytes, Chunks } from "./Chunks.ts";
import * as Discards from "./Discards.ts";

/**
 * Attachment bytes in the database, in chunks.
 *
 * `Discards` explains the note of an upload. A scope that closes removes the note if it is still
 * there, and the bytes with it, so it waits for a commit whose outcome is unknown.
 */

const { clause } = Clause;
const { mapped } = StorageErrors;

const lost = (attachmentId: string) =>
  new Errors.StorageError({
    reason: `The bytes of the attachment ${attachmentId} are not in the database`,
    isRetryable: false,
  });

export const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const { alone, keep, note } = Discards.make(sql);

  const remove = (attachmentId: string) =>
    Effect.asVoid(
      alone(clause`DELETE FROM attachment_bytes WHERE attachment_id = ${attachmentId}`),
    );

  /** Stores a chunk, unless another node has removed the note of the upload. */
  const store = (attachmentId: string, n: number, bytes: Uint8Array) =>
    Effect.flatMap(
      mapped(
        sql`INSERT INTO attachment_bytes (attachment_id, n, bytes)
          SELECT id, ${n}::integer, ${bytes}::bytea FROM discarded_attachments
          WHERE id = ${attachmentId} RETURNING 1`,
      ),
      ({ length }) => (length === 0 ? Effect.fail(Discards.gone) : Effect.void),
    );

  const receive = Effect.fnUntraced(function* <E, R>(
    attachmentId: string,
    bytes: Stream.Stream<Uint8Array, E, R>,
    limitBytes: number,
  ): Effect.fn.Return<
    AttachmentContent.ReceivedContent,
    E | Errors.PayloadTooLarge | Errors.StorageError,
    R | Scope.Scope
  > {
    yield* Effect.acquireRelease(note(attachmentId), () =>
      alone(clause`WITH discarded AS (
          DELETE FROM discarded_attachments WHERE id = ${attachmentId} RETURNING id
        )
        DELETE FROM attachment_bytes WHERE attachment_id IN (SELECT id FROM discarded)`).pipe(
        Effect.ignore({ log: "Warn" }),
      ),
    );
    const hash = createHash("sha256");
    const chunks = new Chunks();
    let size = 0;
    let stored = 0;
    yield* Stream.runForEach(
      bytes,
      (part): Effect.Effect<void, Errors.PayloadTooLarge | Errors.StorageError> => {
        size += part.length;
        if (size > limitBytes) return Effect.fail(new Errors.PayloadTooLarge({ limitBytes }));
        hash.update(part);
        return Effect.forEach(chunks.add(part), (chunk) => store(attachmentId, stored++, chunk), {
          discard: true,
        });
      },
    );
    if (!chunks.isEmpty) yield* store(attachmentId, stored, chunks.take());
    return {
      size,
      sha256: hash.digest("hex"),
      keep: keep(attachmentId),
    };
  });

  const read = (attachmentId: string, start: number, end: number) =>
    Stream.paginate(start, (at) => {
      if (at >= end) return Effect.succeed([[], Option.none<number>()] as const);
      const n = Math.floor(at / chunkBytes);
      const from = n * chunkBytes;
      return Effect.flatMap(
        mapped(
          sql<{ readonly bytes: Uint8Array }>`SELECT bytes FROM attachment_bytes
            WHERE attachment_id = ${attachmentId} AND n = ${n}`,
        ),
        ([row]) => {
          const bytes = row?.bytes.subarray(at - from, end - from);
          return bytes === undefined || bytes.length === 0
            ? Effect.fail(lost(attachmentId))
            : Effect.succeed([[bytes], Option.some(at + bytes.length)] as const);
        },
      );
    });

  return AttachmentContent.AttachmentContent.of({ receive, read, remove });
});

/** Attachment bytes in the current `SqlClient`. */
export const layer: Layer.Layer<AttachmentContent.AttachmentContent, never, SqlClient.SqlClient> =
  Layer.effect(AttachmentContent.AttachmentContent, make);
