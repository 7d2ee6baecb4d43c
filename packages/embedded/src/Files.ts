import { type Attachment, type Attachments, type Page, PromiseHost } from "@quartermaster/core";
import { Effect } from "effect";
import type { Exit } from "./Promised.ts";

/** A file to attach. */
export type Upload = PromiseHost.Upload;

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
  upload: (issueId, file) => run(attachments.upload(issueId, PromiseHost.uploadOf(file))),
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
