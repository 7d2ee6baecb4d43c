import { Effect, FileSystem, Option, Path, Stdio, Stream } from "effect";
import * as Api from "../Api.ts";
import { usage } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import * as Output from "../Output.ts";

/** Milliseconds for an upload over a slow connection. */
const uploadMillis = 30 * 60_000;

/** The bytes of a file or of stdin, and the attachment's default name. */
const source = Effect.fnUntraced(function* (file: string) {
  if (file === "-") {
    const stdio = yield* Stdio.Stdio;
    return { bytes: stdio.stdin, name: null };
  }
  const fs = yield* FileSystem.FileSystem;
  const { basename } = yield* Path.Path;
  const found = yield* Effect.mapError(fs.stat(file), ({ reason }) =>
    usage(`The file ${file} cannot be read (${reason._tag}).`),
  );
  if (found.type !== "File") return yield* usage(`${file} is not a file.`);
  return { bytes: fs.stream(file), name: basename(file) };
});

/** `quartermaster issue attach`: streams the file to the server. */
export const attach = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly issue: string;
    readonly file: string;
    readonly name: Option.Option<string>;
    readonly type: Option.Option<string>;
  },
) {
  const { bytes, name } = yield* source(flags.file);
  const fileName = Option.getOrNull(flags.name) ?? name;
  if (fileName === null) return yield* usage("Name the file that comes from stdin with --name.");
  const access = yield* Connection.open(flags);
  const attachment = yield* Api.call(
    access,
    (client, options) =>
      client.attachments.upload(
        {
          issueId: flags.issue,
          file: Stream.toAsyncIterable(bytes),
          fileName,
          contentType: Option.getOrUndefined(flags.type),
        },
        options,
      ),
    { timeoutMillis: uploadMillis },
  );
  yield* Output.one(flags.json, attachment, [attachment.id]);
});
