import { type Attachment, Attachments, type Page } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import { HttpOptions } from "../HttpOptions.ts";
import * as FileDownload from "./FileDownload.ts";
import * as Handlers from "./Handlers.ts";

const urlOf = ({ downloadUrl }: Attachment.Attachment) => downloadUrl;

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const attachments = yield* Attachments.Attachments;
    const { prefix } = yield* HttpOptions;

    const withPrefix = (attachment: Attachment.Attachment): Attachment.Attachment =>
      prefix === ""
        ? attachment
        : { ...attachment, downloadUrl: `${prefix}${attachment.downloadUrl}` };

    const pageWithPrefix = ({ items, next }: Page.Page<Attachment.Attachment>) => ({
      items: items.map(withPrefix),
      next,
    });

    return Handlers.of("attachments", {
      upload: ({ params, payload }) =>
        Effect.map(Reply.created(attachments.upload(params.issueId, payload), urlOf), (reply) => ({
          ...reply,
          value: withPrefix(reply.value),
        })),
      list: ({ params, query }) =>
        Reply.page(query, (page) =>
          Effect.map(attachments.list(params.issueId, page), pageWithPrefix),
        ),
      download: ({ params, request }) =>
        Effect.flatMap(attachments.download(params.attachmentId), (download) =>
          FileDownload.response(download, {
            isHead: request.method === "HEAD",
            range: request.headers["range"],
            ifRange: request.headers["if-range"],
          }),
        ),
      delete: ({ params }) => Reply.noContent(attachments.remove(params.attachmentId)),
    });
  }),
);
