import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { AttachmentContent, Errors } from "@quartermaster/core";
import { Clause, Prepared } from "@quartermaster/storage-sql";
import { Effect, Layer, Option, type Scope, Stream } from "effect";
import { SqlClient } from "effect/sql";
import { fromFileError, mapped } from "../client/StorageErrors.ts";
import * as BackupLock from "./BackupLock.ts";
import * as ReceivingFolder from "./ReceivingFolder.ts";

/**
 * Attachment bytes as files below a folder, one per attachment.
 *
 * States of an upload
 * - receiving: a mark in the process's receiving folder, and a growing file at its final path.
 * - received: the same, with a complete file.
 * - stored: the row is committed, without a mark.
 * - gone: no row, no file, no mark.
 *
 * Invariant: the mark is created before the file, and removed only after the row is committed or
 * the file is removed. So the marks of a dead process name every file that may lack a row, and the
 * row decides whether the file stays.
 */

export interface Options {
  readonly folder: string;
  /** As in `SqliteClient`: `full` syncs files and folders to disk. Default: `full`. */
  readonly durability?: "full" | "normal" | undefined;
  /**
   * The lock of backups. While a backup holds it, `remove` fails and housekeeping removes the bytes
   * later.
   */
  readonly backupLock?: string | undefined;
}

const readSize = 65_536;

/** Completes a file operation even if the fiber is interrupted. */
const attempt = <A>(f: () => Promise<A>): Effect.Effect<A, Errors.StorageError> =>
  Effect.uninterruptible(Effect.tryPromise({ try: f, catch: fromFileError }));

const removeFile = (path: string) => attempt(() => rm(path, { force: true }));

const opened = (path: string, flags: string) =>
  Effect.acquireRelease(
    attempt(() => open(path, flags, 0o600)),
    (handle) => Effect.ignore(attempt(() => handle.close())),
  );

const writeAll = async (handle: FileHandle, chunk: Uint8Array) => {
  for (let done = 0; done < chunk.length;) {
    done += (await handle.write(chunk, done)).bytesWritten;
  }
};

/**
 * Syncs the entries of a folder. Systems that cannot sync a folder write its entries without it.
 */
const syncFolder = (path: string) =>
  Effect.ignore(Effect.scoped(Effect.flatMap(opened(path, "r"), (h) => attempt(() => h.sync()))));

/** The path of an attachment's file below the folder; undefined for an invalid id. */
export const fileOf = (folder: string, attachmentId: string): string | undefined =>
  /^[A-Za-z0-9_-]{3,128}$/.test(attachmentId)
    ? join(folder, "kept", attachmentId.slice(-2), attachmentId)
    : undefined;

const backupReads = new Errors.StorageError({
  reason: "A backup is reading the attachments. Their bytes are removed after it",
  isRetryable: true,
});

const make = Effect.fnUntraced(function* (options: Options) {
  const sql = yield* SqlClient.SqlClient;
  const durable = options.durability !== "normal";

  const pathOf = (attachmentId: string): Effect.Effect<string, Errors.StorageError> => {
    const path = fileOf(options.folder, attachmentId);
    if (path !== undefined) return Effect.succeed(path);
    return Effect.fail(
      new Errors.StorageError({
        reason: "The id of the attachment is not one that the service created",
        isRetryable: false,
      }),
    );
  };

  const settle = Effect.fnUntraced(function* (mark: string) {
    const attachmentId = basename(mark);
    const rows = yield* mapped(
      Prepared.count(
        sql,
        // Rows of discarded attachments count: `remove`, which waits for a backup, removes their
        // bytes.
        Clause.clause`SELECT 1 FROM attachments WHERE id = ${attachmentId}
          UNION ALL SELECT 1 FROM discarded_attachments WHERE id = ${attachmentId}`,
      ),
    );
    if (rows === 0) yield* Effect.flatMap(pathOf(attachmentId), removeFile);
    yield* removeFile(mark);
  });

  const receiving = yield* ReceivingFolder.make(join(options.folder, "receiving"), settle);

  const receive = Effect.fnUntraced(function* <E, R>(
    attachmentId: string,
    bytes: Stream.Stream<Uint8Array, E, R>,
    limitBytes: number,
  ): Effect.fn.Return<
    AttachmentContent.ReceivedContent,
    E | Errors.PayloadTooLarge | Errors.StorageError,
    R | Scope.Scope
  > {
    const path = yield* pathOf(attachmentId);
    const mark = join(receiving, attachmentId);
    const fate: { committed: boolean } = { committed: false };
    yield* Effect.acquireRelease(Effect.scoped(opened(mark, "wx")), () =>
      fate.committed ? Effect.void : Effect.ignore(settle(mark), { log: "Warn" }),
    );
    yield* attempt(() => mkdir(dirname(path), { recursive: true, mode: 0o700 }));
    const hash = createHash("sha256");
    let size = 0;
    yield* Effect.scoped(
      Effect.gen(function* () {
        const handle = yield* opened(path, "wx");
        yield* Stream.runForEach(
          bytes,
          (chunk): Effect.Effect<void, Errors.PayloadTooLarge | Errors.StorageError> => {
            size += chunk.length;
            if (size > limitBytes) {
              return Effect.fail(new Errors.PayloadTooLarge({ limitBytes }));
            }
            hash.update(chunk);
            return attempt(() => writeAll(handle, chunk));
          },
        );
        if (durable) yield* attempt(() => handle.sync());
      }),
    );
    if (durable) {
      yield* syncFolder(receiving);
      yield* syncFolder(dirname(path));
      yield* syncFolder(dirname(dirname(path)));
    }
    return {
      size,
      sha256: hash.digest("hex"),
      keep: sql.afterCommit(
        Effect.suspend(() => {
          fate.committed = true;
          return Effect.ignore(removeFile(mark));
        }),
      ),
    };
  });

  const read = (attachmentId: string, start: number, end: number) =>
    Stream.unwrap(
      Effect.map(
        Effect.flatMap(pathOf(attachmentId), (path) => opened(path, "r")),
        (handle) =>
          Stream.paginate(start, (at) =>
            Effect.map(
              attempt(async () => {
                const wanted = Math.max(0, Math.min(readSize, end - at));
                return await handle.read(new Uint8Array(wanted), 0, wanted, at);
              }),
              ({ buffer, bytesRead }) => {
                const next = at + bytesRead;
                return [
                  bytesRead === 0 ? [] : [buffer.subarray(0, bytesRead)],
                  bytesRead === 0 || next >= end ? Option.none() : Option.some(next),
                ] as const;
              },
            ),
          ),
      ),
    );

  return AttachmentContent.AttachmentContent.of({
    receive,
    read,
    remove: (attachmentId) =>
      Effect.suspend(() =>
        options.backupLock !== undefined && BackupLock.isHeld(options.backupLock)
          ? Effect.fail(backupReads)
          : Effect.flatMap(pathOf(attachmentId), removeFile),
      ),
  });
});

/** Attachment files below a folder, with their rows in the current `SqlClient`. */
export const layer = (
  options: Options,
): Layer.Layer<AttachmentContent.AttachmentContent, Errors.StorageError, SqlClient.SqlClient> =>
  Layer.effect(AttachmentContent.AttachmentContent, make(options));
