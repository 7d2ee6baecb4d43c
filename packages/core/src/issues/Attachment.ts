import { Schema } from "effect";
import { Actor } from "../Actor.ts";
import { ServiceId } from "../Id.ts";
import { Timestamp } from "../Timestamp.ts";

/** A file attached to an issue, without its bytes. */
export const Attachment = Schema.Struct({
  id: ServiceId,
  issueId: ServiceId,
  fileName: Schema.String,
  contentType: Schema.String,
  /** In bytes. */
  size: Schema.Int,
  /** Lower-case hex. */
  sha256: Schema.String,
  /** Root-relative path of the download route. */
  downloadUrl: Schema.String,
  uploadedBy: Actor,
  createdAt: Timestamp,
}).annotate({ identifier: "Attachment" });
export interface Attachment extends Schema.Schema.Type<typeof Attachment> {}

/** An attachment as storage keeps it; `seq` is its place in the order of creation, given by the storage. */
export interface AttachmentRow extends Attachment {
  readonly seq: number;
}

export const downloadUrl = (attachmentId: string): string =>
  `/api/projects/attachments/${attachmentId}/download`;

/** The last path segment of a file name as a client sent it, without control characters; empty if nothing is left. */
export const cleanFileName = (fileName: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what it removes
  (fileName.split(/[/\\]/).at(-1) ?? "").replace(/[\u0000-\u001f\u007f-\u009f]/g, "").trim();
