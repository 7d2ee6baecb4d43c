import type { Upload } from "../Options.ts";
import { randomId } from "./Platform.ts";

/** A multipart body with one file, and whether it can be sent again. */
export interface Form {
  readonly body: BodyInit;
  readonly headers: Readonly<Record<string, string>>;
  readonly isRepeatable: boolean;
}

const escaped = (name: string) => name.replaceAll(/["\r\n]/g, (char) => encodeURIComponent(char));

async function* parts(
  head: string,
  file: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  tail: string,
) {
  const text = new TextEncoder();
  yield text.encode(head);
  if (Symbol.asyncIterator in file) {
    yield* file;
  } else {
    yield* chunks(file);
  }
  yield text.encode(tail);
}

/** Iterates over the chunks of a stream. Some browsers have no async iteration of streams. */
export async function* chunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const streamOf = (iterator: AsyncGenerator<Uint8Array>) =>
  new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await iterator.return(undefined);
    },
  });

export const form = ({ contentType, file, fileName }: Upload): Form => {
  if (file instanceof Blob || file instanceof Uint8Array) {
    const type = contentType ?? (file instanceof Blob ? file.type : "application/octet-stream");
    const name = fileName ?? (file instanceof File ? file.name : "file");
    const body = new FormData();
    body.append(
      "file",
      new Blob([file instanceof Blob ? file : new Uint8Array(file)], { type }),
      name,
    );
    return { body, headers: {}, isRepeatable: true };
  }
  const boundary = `quartermaster-${randomId()}`;
  const disposition = `form-data; name="file"; filename="${escaped(fileName ?? "file")}"`;
  const head = `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${contentType ?? "application/octet-stream"}\r\n\r\n`;
  return {
    body: streamOf(parts(head, file, `\r\n--${boundary}--\r\n`)),
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    isRepeatable: false,
  };
};
