import { Attachment, Id } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, editor, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { idempotencyKey, paging } from "./Query.ts";

const path = "/api/projects/issues/:issueId/attachments";
const params = { issueId: Id.ServiceId.annotateKey({ description: "The issue's id." }) };
const attachment = {
  attachmentId: Id.ServiceId.annotateKey({ description: "The attachment's id." }),
};

/** The part `file` of an upload. Its bytes are streamed to storage. */
const Upload = Schema.Struct({
  file: Schema.String.annotate({
    format: "binary",
    description: "The bytes of the file. The part names the file.",
  }),
}).pipe(HttpApiSchema.asMultipartStream());

const upload = HttpApiEndpoint.post("upload", path, {
  params,
  headers: idempotencyKey,
  payload: Upload,
  success: Attachment.Attachment.pipe(HttpApiSchema.status(201)),
  error: [Problem.NotFound, Problem.IdempotencyMismatch, Problem.RunEnded],
}).annotateMerge(
  about({
    summary: "Attach a file to an issue",
    description:
      "Takes `multipart/form-data` with exactly one part, `file`, which names the file. An interrupted upload stores nothing.",
    access: editor,
    idempotencyKey: "honoured",
  }),
);

const list = HttpApiEndpoint.get("list", path, {
  params,
  query: paging,
  success: Schema.Array(Attachment.Attachment),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "List an issue's attachments",
    description: "Returns metadata without the bytes, oldest first by default; paged.",
    access: viewer,
  }),
);

const download = HttpApiEndpoint.get(
  "download",
  "/api/projects/attachments/:attachmentId/download",
  {
    params: attachment,
    success: HttpApiSchema.StreamUint8Array(),
    error: Problem.NotFound,
  },
).annotateMerge(
  about({
    summary: "Download an attachment",
    description:
      "Returns the bytes with the media type of the upload. A `Range` header with one range returns 206, or 416 if the range lies outside the file. `ETag` is the SHA-256 hash of the file.",
    access: viewer,
  }),
);

const remove = HttpApiEndpoint.delete("delete", "/api/projects/attachments/:attachmentId", {
  params: attachment,
  success: HttpApiSchema.NoContent,
  error: [Problem.NotFound, Problem.RunEnded],
}).annotateMerge(
  about({
    summary: "Delete an attachment",
    description: "Removes the attachment and its bytes.",
    access: editor,
  }),
);

/** Files attached to issues. */
export class AttachmentsApi extends HttpApiGroup.make("attachments")
  .add(upload, list, download, remove)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Attachments", description: "Files attached to issues." }),
  ) {}
