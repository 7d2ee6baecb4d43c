import { type Attachment, Attachments } from "@quartermaster/core";
import { Effect } from "effect";
import * as Group from "./Group.ts";
import { Api } from "../api/Api.ts";
import * as MultipartBody from "../middleware/MultipartBody.ts";
import * as Answer from "./Answer.ts";
import * as FileDownload from "./FileDownload.ts";

const urlOf = ({ downloadUrl }: Attachment.Attachment) => downloadUrl;

export const layer = Group.group(
  Api,
  "attachments",
  Effect.fnUntraced(function* (handlers) {
    const attachments = yield* Attachments.Attachments;

    return handlers.handleAll({
      upload: ({ params, request }) =>
        MultipartBody.read(request).pipe(
          Effect.flatMap((file) => attachments.upload(params.issueId, file)),
          (upload) => Answer.created(upload, urlOf),
        ),
      list: ({ params, query }) => Answer.page(attachments.list(params.issueId, query)),
      download: ({ params, request }) =>
        Answer.respond(attachments.download(params.attachmentId), (download) =>
          FileDownload.response(download, {
            range: request.method === "HEAD" ? undefined : request.headers["range"],
            ifRange: request.headers["if-range"],
          }),
        ),
      delete: ({ params }) => Answer.noContent(attachments.remove(params.attachmentId)),
    });
  }),
);
