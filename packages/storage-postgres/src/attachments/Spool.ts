import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { Errors } from "@quartermaster/core";
import { StorageErrors } from "@quartermaster/storage-sql";
import { Effect, type Scope, Stream } from "effect";
import type { Upload } from "./Bucket.ts";

const pieceBytes = 256 * 1024;

/** Completes a file operation even if the fiber is interrupted. */
const attempt = <A>(f: () => Promise<A>): Effect.Effect<A, Errors.StorageError> =>
  Effect.uninterruptible(Effect.tryPromise({ try: f, catch: StorageErrors.fromFileError }));

/** Opens a file that has no name any more: the system removes it with the process. */
const openNameless = async (path: string) => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, "wx+", 0o600);
  await rm(path);
  return handle;
};

async function* pieces(handle: FileHandle) {
  for (let at = 0; ;) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(pieceBytes), 0, pieceBytes, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/**
 * Writes an upload to a new file, which goes with the scope. Beyond `limitBytes` it fails and reads
 * no more.
 */
export const receive = Effect.fnUntraced(function* <E, R>(
  path: string,
  bytes: Stream.Stream<Uint8Array, E, R>,
  limitBytes: number,
): Effect.fn.Return<Upload, E | Errors.PayloadTooLarge | Errors.StorageError, R | Scope.Scope> {
  const handle = yield* Effect.acquireRelease(
    attempt(() => openNameless(path)),
    (handle) => Effect.ignore(attempt(() => handle.close())),
  );
  const hash = createHash("sha256");
  let size = 0;
  yield* Stream.runForEach(
    bytes,
    (chunk): Effect.Effect<void, Errors.PayloadTooLarge | Errors.StorageError> => {
      size += chunk.length;
      if (size > limitBytes) return Effect.fail(new Errors.PayloadTooLarge({ limitBytes }));
      hash.update(chunk);
      return attempt(() => handle.appendFile(chunk));
    },
  );
  return {
    size,
    sha256: hash.digest(),
    read: () => Readable.from(pieces(handle), { objectMode: false }),
  };
});
