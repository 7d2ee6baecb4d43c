import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { Schema } from "effect";
import * as Signature from "./Signature.ts";

/**
 * The file format of a backup, written and read as a stream:
 *
 * - the line `quartermaster-backup 1`, where 1 is the version of the format;
 * - a line of JSON, the `Head`;
 * - for each file a line of JSON, its `Entry`, followed by its bytes;
 * - a line of JSON, the `End`, with the SHA-256 of every byte before it and its `Signature`.
 *
 * Each hash is stored with its file, so a reader needs no memory for a list of hashes. The reader
 * detects any changed byte and a missing end.
 */

export const formatVersion = 1;

export const Head = Schema.Struct({
  /** The time of the snapshot, ISO 8601. */
  createdAt: Schema.String,
  /** The version of the program that wrote the backup. */
  version: Schema.String,
  migrations: Schema.Array(Schema.String),
  /** The `seq` of the newest event in the database. */
  newestEvent: Schema.Natural,
  newestChange: Schema.NullOr(Schema.String),
  issues: Schema.Natural,
  attachments: Schema.Natural,
  /** The ids of the master keys that encrypt secrets in the database. */
  keyIds: Schema.Array(Schema.String),
  hasKeys: Schema.Boolean,
  /** The total size of all files. */
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

/** The error for an invalid file. `of` names the invalid part. */
export class Unfit extends Error {
  readonly kind: "foreign" | "newer" | "truncated" | "damaged";
  constructor(kind: Unfit["kind"], of: string) {
    super(of);
    this.kind = kind;
  }
}

export const chunkBytes = 256 * 1024;

/** Reads a file in chunks. Each chunk is valid only until the next one. */
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

/** Writes a backup to an empty file. Call `head` first, then `add` for each file, then `end`. */
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
    /** Fails with `Unfit` if size or hash differ from the entry. */
    add: async (entry: Entry, chunks: Chunks) => {
      await line(JSON.stringify(entry));
      const hash = createHash("sha256");
      let size = 0;
      for await (const chunk of chunks) {
        size += chunk.length;
        // Do not write bytes beyond the announced size: the reader would parse them as a line.
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
