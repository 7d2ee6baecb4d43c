import { AttachmentContent, Errors } from "@quartermaster/core";
import { Effect, Layer, Stream } from "effect";
import { Digest } from "effect/crypto";
import { Database } from "./Database.ts";

const concat = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
};

const missing = (attachmentId: string) =>
  new Errors.StorageError({
    reason: `No bytes are stored for the attachment ${attachmentId}`,
    isRetryable: false,
  });

export const layer = Layer.effect(
  AttachmentContent.AttachmentContent,
  Effect.gen(function* () {
    const database = yield* Database;
    const digest = yield* Digest.Digest;
    return AttachmentContent.AttachmentContent.of({
      receive: Effect.fnUntraced(function* (attachmentId, stream, limitBytes) {
        const chunks: Array<Uint8Array> = [];
        let size = 0;
        yield* Stream.runForEach(stream, (chunk) => {
          size += chunk.length;
          if (size > limitBytes) {
            return Effect.fail(new Errors.PayloadTooLarge({ limitBytes }));
          }
          chunks.push(chunk.slice());
          return Effect.void;
        });
        const bytes = concat(chunks, size);
        return {
          size,
          sha256: yield* digest.digestHex(Digest.sha256, bytes),
          keep: database.write(({ contents }) => contents.set(attachmentId, bytes)),
        };
      }),
      read: (attachmentId, start, end) =>
        Stream.fromEffect(
          Effect.flatMap(
            database.read(({ contents }) => contents.get(attachmentId)),
            (bytes) =>
              bytes === undefined
                ? Effect.fail(missing(attachmentId))
                : Effect.succeed(bytes.slice(start, end)),
          ),
        ),
      // Outside transactions: the port removes bytes after their row is gone.
      remove: (attachmentId) =>
        database.transact(database.write(({ contents }) => contents.delete(attachmentId))),
    });
  }),
);
