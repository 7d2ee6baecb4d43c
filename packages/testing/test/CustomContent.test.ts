import { createHash } from "node:crypto";
import { AttachmentContent, Errors, Transactor } from "@quartermaster/core";
import { AttachmentContentTest, MemoryStorage } from "@quartermaster/testing";
import { Effect, Layer, Stream } from "effect";

/**
 * An `AttachmentContent` on a store that does not take part in transactions, such as an object
 * bucket. docs/testing.md explains it.
 *
 * States of an object: received (written under its id, without a row), committed (its row is
 * committed). `keep` moves it from received to committed when the transaction commits; closing the
 * scope removes an object that is still received. A process that dies in between leaves received
 * objects, so the next start removes objects without a row.
 */
const bucketLayer = Layer.effect(
  AttachmentContent.AttachmentContent,
  Effect.gen(function* () {
    const { afterCommit } = yield* Transactor.Transactor;
    const bucket = new Map<string, ReadonlyArray<Uint8Array>>();

    const remove = (attachmentId: string) => Effect.sync(() => void bucket.delete(attachmentId));

    return AttachmentContent.AttachmentContent.of({
      receive: Effect.fnUntraced(function* (attachmentId, bytes, limitBytes) {
        const hash = createHash("sha256");
        const parts: Array<Uint8Array> = [];
        let size = 0;
        let committed = false;
        yield* Effect.addFinalizer(() => (committed ? Effect.void : remove(attachmentId)));
        yield* Stream.runForEach(bytes, (chunk) => {
          size += chunk.length;
          if (size > limitBytes) return Effect.fail(new Errors.PayloadTooLarge({ limitBytes }));
          hash.update(chunk);
          parts.push(chunk.slice());
          return Effect.void;
        });
        bucket.set(attachmentId, parts);
        return {
          size,
          sha256: hash.digest("hex"),
          // A rolled-back transaction never runs this, and the finalizer removes the object.
          keep: afterCommit(
            Effect.sync(() => {
              committed = true;
            }),
          ),
        };
      }),
      read: (attachmentId, start, end) =>
        Stream.suspend(() => {
          const parts = bucket.get(attachmentId);
          if (parts === undefined) {
            const reason = `The bucket has no object ${attachmentId}`;
            return Stream.fail(new Errors.StorageError({ reason, isRetryable: false }));
          }
          return Stream.make(new Uint8Array(Buffer.concat(parts).subarray(start, end)));
        }),
      remove,
    });
  }),
);

AttachmentContentTest.suite("a bucket", Layer.provideMerge(bucketLayer, MemoryStorage.layer));
