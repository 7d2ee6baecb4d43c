import { Schema } from "effect";
import { Actor } from "../Actor.ts";
import { ServiceId } from "../Id.ts";
import { Timestamp } from "../Timestamp.ts";

/** A file attached to an issue, without its bytes. */
export const Attachment = Schema.Struct({
  id: ServiceId.annotateKey({ description: "The attachment's id." }),
  issueId: ServiceId.annotateKey({ description: "The issue that the file is attached to." }),
  fileName: Schema.String.annotateKey({
    description:
      "The last path segment of the uploaded name, without control characters. At most 255 characters.",
  }),
  contentType: Schema.String.annotateKey({
    description: "The media type that the upload specified.",
  }),
  size: Schema.Int.annotateKey({ description: "The size in bytes." }),
  sha256: Schema.String.annotateKey({
    description: "The SHA-256 hash of the bytes, in lower-case hex.",
  }),
  downloadUrl: Schema.String.annotateKey({
    description: "The root-relative path of the download.",
  }),
  uploadedBy: Actor.annotateKey({ description: "The user, agent or key that uploaded the file." }),
  createdAt: Timestamp.annotateKey({ description: "When the file was uploaded." }),
}).annotate({
  identifier: "Attachment",
  description: "A file attached to an issue, without its bytes.",
});
export interface Attachment extends Schema.Schema.Type<typeof Attachment> {}

/**
 * The stored form of an attachment. The storage assigns `seq`, its position in the order of
 * creation.
 */
export interface AttachmentRow extends Attachment {
  readonly seq: number;
}

export const downloadUrl = (attachmentId: string): string =>
  `/api/projects/attachments/${attachmentId}/download`;

/**
 * The last path segment of a client's file name, without control characters; empty if nothing is
 * left.
 */
export const cleanFileName = (fileName: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what it removes
  (fileName.split(/[/\\]/).at(-1) ?? "").replace(/[\u0000-\u001f\u007f-\u009f]/g, "").trim();

/** Whether a clean file name can be stored: 1 to 255 characters. */
export const isFileName = (name: string): boolean =>
  name !== "" && name.length <= 255 && name.isWellFormed();
