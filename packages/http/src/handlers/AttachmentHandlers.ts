import { type Attachment, Attachments } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../runner/Reply.ts";
import * as FileDownload from "./FileDownload.ts";
import * as Handlers from "./Handlers.ts";

const urlOf = ({ downloadUrl }: Attachment.Attachment) => downloadUrl;

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const attachments = yield* Attachments.Attachments;

    return Handlers.of("attachments", {
      upload: ({ params, payload }) =>
        Reply.created(attachments.upload(params.issueId, payload), urlOf),
      list: ({ params, query }) =>
        Reply.page(query, (page) => attachments.list(params.issueId, page)),
      download: ({ params, request }) =>
        Effect.map(attachments.download(params.attachmentId), (download) =>
          FileDownload.response(download, {
            range: request.method === "HEAD" ? undefined : request.headers["range"],
            ifRange: request.headers["if-range"],
          }),
        ),
      delete: ({ params }) => Reply.noContent(attachments.remove(params.attachmentId)),
    });
  }),
);
