import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { Schema } from "effect";
import * as Signature from "./Signature.ts";

/**
 * The file of a backup, written and read as a stream:
 *
 * - the line `quartermaster-backup 1`, where 1 is the version of the format;
 * - a line of JSON, the `Head`;
 * - for each file a line of JSON, its `Entry`, and then its bytes;
 * - a line of JSON, the `End`, with the SHA-256 of every byte before it, and its `Signature`.
 *
 * So the hashes stand beside the files, a reader needs no room for a list of them, and a byte that
 * changed anywhere is noticed, as is a missing end.
 */

export const formatVersion = 1;

export const Head = Schema.Struct({
  /** When the snapshot was taken. */
  createdAt: Schema.String,
  /** The version of the program that wrote it. */
  version: Schema.String,
  migrations: Schema.Array(Schema.String),
  /** The `seq` of the newest event in the database. */
  newestEvent: Schema.Natural,
  newestChange: Schema.NullOr(Schema.String),
  issues: Schema.Natural,
  attachments: Schema.Natural,
  /** The master keys that secrets in the database are sealed under. */
  keyIds: Schema.Array(Schema.String),
  hasKeys: Schema.Boolean,
  /** The size of all files. */
  bytes: Schema.Natural,
});
export interface Head extends Schema.Schema.Type<typeof Head> {}

export const Entry = Schema.Struct({
  path: Schema.String.check(
    Schema.isPattern(/^(?:quartermaster\.db|secret-key|attachments\/[A-Za-z0-9_-]{3,128})$/),
  ),
  size: Schema.Natural,
  sha256: Schema.String,
});
export interface Entry extends Schema.Schema.Type<typeof Entry> {}

export const End = Schema.Struct({
  files: Schema.Natural,
  sha256: Schema.String,
  signature: Schema.optionalKey(Signature.Signature),
});

/** A difference between a file and its required form. `of` names the part. */
export class Unfit extends Error {
  readonly kind: "foreign" | "newer" | "truncated" | "damaged";
  constructor(kind: Unfit["kind"], of: string) {
    super(of);
    this.kind = kind;
  }
}

export const chunkBytes = 256 * 1024;

/** The bytes of a file, in chunks that are valid until the next one. */
export async function* chunksOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(chunkBytes);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

export const writeAll = async (handle: FileHandle, chunk: Uint8Array): Promise<void> => {
  for (let done = 0; done < chunk.length;) {
    done += (await handle.write(chunk, done)).bytesWritten;
  }
};

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Writes to an empty file. Call `head` first, then `add` for each file, then `end`. */
export const writer = (handle: FileHandle) => {
  const all = createHash("sha256");
  let files = 0;
  const put = async (chunk: Uint8Array) => {
    all.update(chunk);
    await writeAll(handle, chunk);
  };
  const line = (text: string) => put(new TextEncoder().encode(`${text}\n`));
  return {
    head: async (head: Head) => {
      await line(`quartermaster-backup ${formatVersion}`);
      await line(JSON.stringify(head));
    },
    /** Fails with `Unfit` if the bytes are not as the entry says. */
    add: async (entry: Entry, chunks: Chunks) => {
      await line(JSON.stringify(entry));
      const hash = createHash("sha256");
      let size = 0;
      for await (const chunk of chunks) {
        size += chunk.length;
        // Data that the entry does not announce must not be written: the reader would take it for a
        // line.
        if (size > entry.size) break;
        hash.update(chunk);
        await put(chunk);
      }
      if (size !== entry.size || hash.digest("hex") !== entry.sha256) {
        throw new Unfit("damaged", entry.path);
      }
      files++;
    },
    end: async (key: Signature.Key | null) => {
      const sha256 = all.digest("hex");
      const signed = key === null ? {} : { signature: Signature.sign(key, sha256) };
      const text = JSON.stringify({ files, sha256, ...signed });
      await writeAll(handle, new TextEncoder().encode(`${text}\n`));
      await handle.sync();
    },
  };
};
