import { Attachment, Id } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, editor, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { idempotencyKey, paging } from "./Query.ts";

const path = "/api/projects/issues/:issueId/attachments";
const params = { issueId: Id.ServiceId };
const attachment = { attachmentId: Id.ServiceId };

/** The bytes of one file, in the part `file`. They are streamed to storage. */
const Upload = Schema.Struct({
  file: Schema.String.annotate({ format: "binary", description: "The file; its part has a name." }),
}).pipe(HttpApiSchema.asMultipartStream());

const upload = HttpApiEndpoint.post("upload", path, {
  params,
  headers: idempotencyKey,
  payload: Upload,
  success: Attachment.Attachment.pipe(HttpApiSchema.status(201)),
  error: [Problem.NotFound, Problem.IdempotencyMismatch],
}).annotateMerge(
  about({
    summary: "Attach a file to an issue",
    description:
      "multipart/form-data with exactly one part, `file`, that has a file name. An interrupted upload leaves nothing behind.",
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
    description: "Without their bytes, oldest first unless `order` says otherwise; paged.",
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
      "The bytes, with the type they were uploaded with. A `Range` of one range is answered 206, or 416 if it lies outside. `ETag` is the hash.",
    access: viewer,
  }),
);

const remove = HttpApiEndpoint.delete("delete", "/api/projects/attachments/:attachmentId", {
  params: attachment,
  success: HttpApiSchema.NoContent,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Delete an attachment",
    description: "Removes it and its bytes.",
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
