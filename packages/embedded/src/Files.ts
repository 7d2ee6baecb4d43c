import type { Attachment, Attachments, Page } from "@quartermaster/core";
import { Effect, Stream } from "effect";
import type { Exit } from "./Promised.ts";

/** A file to attach. */
export interface Upload {
  readonly fileName: string;
  readonly contentType: string;
  /** Bytes, or a stream of bytes: a `ReadableStream` and Node's `Readable` are async iterables. */
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>;
}

/** An attachment. Its bytes are read during iteration. */
export interface Download {
  readonly attachment: Attachment.Attachment;
  /** Reads from `start` (inclusive) to `end` (exclusive). Default: the whole file. */
  read(start?: number, end?: number): AsyncIterable<Uint8Array>;
}

/** Attachments of issues. */
export interface Files {
  upload(issueId: string, file: Upload): Promise<Attachment.Attachment>;
  list(issueId: string, request?: Page.PageRequest): Promise<Page.Page<Attachment.Attachment>>;
  download(attachmentId: string): Promise<Download>;
  remove(attachmentId: string): Promise<void>;
}

export const files = (
  attachments: Attachments.Attachments["Service"],
  { iterate, run }: Exit,
): Files => ({
  upload: (issueId, { bytes, ...file }) =>
    run(
      attachments.upload(issueId, {
        ...file,
        bytes:
          bytes instanceof Uint8Array
            ? Stream.succeed(bytes)
            : Stream.fromAsyncIterable(bytes, (error) => error),
      }),
    ),
  list: (issueId, request) => run(attachments.list(issueId, request)),
  download: (attachmentId) =>
    run(
      Effect.map(attachments.download(attachmentId), ({ attachment, read }) => ({
        attachment,
        read: (start, end) => iterate(read(start, end)),
      })),
    ),
  remove: (attachmentId) => run(attachments.remove(attachmentId)),
});
