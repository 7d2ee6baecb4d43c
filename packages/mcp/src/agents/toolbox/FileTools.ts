import { Attachment, Attachments, Errors, Id, ServerText, type Workers } from "@quartermaster/core";
import { Effect, Result, Schema, Stream } from "effect";
import { Base64 } from "effect/encoding";
import * as HeldIssue from "./HeldIssue.ts";
import { PublicUrl } from "./PublicUrl.ts";
import { adds, Blocks, define, reads, type ServiceTool } from "./ServiceTool.ts";

/** The most bytes of a text that a model reads, and of an image or a new file. */
const maxTextBytes = 64 * 1024;
const maxFileBytes = 1024 * 1024;

/** The media types of files by extension. Others are text or bytes. */
const types: Readonly<Record<string, string>> = {
  csv: "text/csv",
  gif: "image/gif",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  md: "text/markdown",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  webp: "image/webp",
  zip: "application/zip",
};

/** The image types that models read. */
const images = new Set(["image/gif", "image/jpeg", "image/png", "image/webp"]);

const bytesOf = (download: Attachments.Download, end: number) =>
  Effect.map(Stream.runCollect(download.read(0, end)), (chunks) => Buffer.concat(chunks));

/** The bytes as UTF-8, without a character that `bytes` cuts; null for other bytes. */
const textOf = (bytes: Uint8Array): string | null => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
};

/** The content of a file in the form that models read, next to its description. */
const blocksOf = Effect.fnUntraced(function* (download: Attachments.Download) {
  const { attachment } = download;
  const { contentType, downloadUrl, fileName, id, issueId, size } = attachment;
  const [mimeType = ""] = contentType.split(";", 1);
  const uri = `${yield* PublicUrl}${downloadUrl}`;
  const about = { id, issueId, fileName, contentType, size };
  const described = (more: object, block: Readonly<Record<string, unknown>>) =>
    new Blocks([{ type: "text", text: ServerText.quotedJson({ ...about, ...more }) }, block]);
  if (images.has(mimeType) && size <= maxFileBytes) {
    const data = (yield* bytesOf(download, size)).toString("base64");
    return described({}, { type: "image", data, mimeType });
  }
  const text = textOf(yield* bytesOf(download, Math.min(size, maxTextBytes)));
  if (text !== null) {
    const rest = size > maxTextBytes ? { truncatedAtBytes: maxTextBytes, downloadUrl: uri } : {};
    return described(rest, { type: "text", text: ServerText.quoted(text) });
  }
  const link = { type: "resource_link", uri, name: fileName, mimeType, size };
  return described({ downloadUrl: uri }, link);
});

const GetArguments = Schema.Struct({
  attachmentId: Id.ServiceId.annotateKey({ description: "The id, from issue_get." }),
});

const AddArguments = Schema.Struct({
  ...HeldIssue.issueId,
  fileName: Schema.String.annotateKey({ description: "1 to 255 characters." }),
  text: Schema.optionalKey(Schema.String).annotateKey({
    description: "The content as text, up to 1 MiB.",
  }),
  base64: Schema.optionalKey(Schema.String).annotateKey({
    description: "The content as Base64 instead, up to 1 MiB of bytes.",
  }),
});

/** The bytes of a new file, and its default media type. */
const contentOf = ({
  base64,
  text,
}: typeof AddArguments.Encoded): Effect.Effect<
  { readonly bytes: Uint8Array; readonly contentType: string },
  Errors.InvalidRequest | Errors.PayloadTooLarge
> => {
  if ((text === undefined) === (base64 === undefined)) {
    return Errors.InvalidRequest.at("text", "or `base64` is required, and not both");
  }
  const decoded =
    text === undefined
      ? Base64.decode(base64 ?? "")
      : Result.succeed(new TextEncoder().encode(text));
  if (Result.isFailure(decoded)) return Errors.InvalidRequest.at("base64", "must be Base64");
  const bytes = decoded.success;
  return bytes.length > maxFileBytes
    ? Effect.fail(new Errors.PayloadTooLarge({ limitBytes: maxFileBytes }))
    : Effect.succeed({
        bytes,
        contentType: text === undefined ? "application/octet-stream" : "text/plain",
      });
};

/** The tools that read and add files of issues. */
export const make: Effect.Effect<
  ReadonlyArray<ServiceTool>,
  never,
  Attachments.Attachments | Workers.Workers
> = Effect.gen(function* () {
  const attachments = yield* Attachments.Attachments;
  const heldIssue = yield* HeldIssue.make;

  return [
    define({
      name: "attachment_get",
      title: "Read a file",
      description:
        "Reads a file of an issue. Returns the first 64 KiB of a text, an image, or a link to the download.",
      takes: GetArguments,
      annotations: reads,
      run: ({ attachmentId }) => Effect.flatMap(attachments.download(attachmentId), blocksOf),
    }),
    define({
      name: "attachment_add",
      title: "Attach a file",
      description:
        "Attaches a file to an issue. Use it for results that are too long for a comment. Returns the attachment.",
      takes: AddArguments,
      annotations: adds,
      run: Effect.fnUntraced(function* (input, caller) {
        const { bytes, contentType } = yield* contentOf(input);
        const { fileName } = input;
        const name = Attachment.cleanFileName(fileName);
        if (!Attachment.isFileName(name)) {
          return yield* Errors.InvalidRequest.at("fileName", "must have 1 to 255 characters");
        }
        const extension = name.split(".").at(-1) ?? "";
        return yield* attachments.upload(input.issueId ?? (yield* heldIssue(caller)), {
          fileName,
          contentType: types[extension.toLowerCase()] ?? contentType,
          bytes: Stream.make(bytes),
        });
      }),
    }),
  ];
});
