import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { Option, Schema } from "effect";
import { chunkBytes, End, Entry, formatVersion, Head, Unfit } from "./Archive.ts";
import * as Signature from "./Signature.ts";

const maxLineBytes = 1024 * 1024;
/** A bound for the first line, which is shorter in every version of the format. */
const maxMagicBytes = 64;

const decodeHead = Schema.decodeUnknownOption(Schema.fromJsonString(Head));
const decodePart = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Union([Entry, End])));

const damagedAt = (position: number) => new Unfit("damaged", `at byte ${position}`);

/** Reads a file as lines and as byte ranges of a given size. */
const source = (handle: FileHandle) => {
  const buffer = new Uint8Array(chunkBytes);
  const hash = createHash("sha256");
  let rest: Uint8Array = buffer.subarray(0, 0);
  let position = 0;

  const fill = async () => {
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, null);
    rest = buffer.subarray(0, bytesRead);
    return bytesRead > 0;
  };
  const truncated = () => new Unfit("truncated", `${position} bytes`);
  const take = (count: number) => {
    const taken = rest.subarray(0, count);
    rest = rest.subarray(count);
    position += taken.length;
    return taken;
  };

  return {
    hash,
    position: () => position,
    isAtEnd: async () => rest.length === 0 && !(await fill()),
    /** Reads the next line. `accept` adds it to the hash, which excludes the last line. */
    line: async (limit: number) => {
      const parts: Array<Uint8Array> = [];
      let size = 0;
      for (;;) {
        if (rest.length === 0 && !(await fill())) throw truncated();
        const end = rest.indexOf(10);
        const part = take(end === -1 ? rest.length : end + 1).slice();
        size += part.length;
        if (size > limit) throw damagedAt(position);
        parts.push(part);
        if (end !== -1) break;
      }
      const bytes = Buffer.concat(parts);
      return { text: bytes.toString("utf8", 0, size - 1), accept: () => hash.update(bytes) };
    },
    /** Reads exactly `size` bytes. Each chunk is valid only until the next one. */
    bytes: async function* (size: number) {
      for (let left = size; left > 0;) {
        if (rest.length === 0 && !(await fill())) throw truncated();
        const chunk = take(left);
        left -= chunk.length;
        hash.update(chunk);
        yield chunk;
      }
    },
  };
};

type Source = ReturnType<typeof source>;

const readHead = async (from: Source): Promise<Head> => {
  const magic = await from.line(maxMagicBytes).catch((cause: unknown) => {
    throw cause instanceof Unfit ? new Unfit("foreign", "") : cause;
  });
  const [, format] = /^quartermaster-backup (\d{1,6})$/.exec(magic.text) ?? [];
  if (format === undefined) throw new Unfit("foreign", "");
  if (Number(format) > formatVersion) throw new Unfit("newer", `format ${format}`);
  magic.accept();
  const line = await from.line(maxLineBytes);
  const head = Option.getOrUndefined(decodeHead(line.text));
  if (head === undefined) throw damagedAt(from.position());
  line.accept();
  return head;
};

/** Reads one file of the backup. `visit` gets its bytes and may leave some unread. */
const readFile = async (from: Source, entry: Entry, visit: Visit) => {
  const hash = createHash("sha256");
  const hashed = async function* () {
    for await (const chunk of from.bytes(entry.size)) {
      hash.update(chunk);
      yield chunk;
    }
  };
  const chunks = hashed();
  await visit(entry, chunks);
  for await (const _ of chunks);
  if (hash.digest("hex") !== entry.sha256) throw new Unfit("damaged", entry.path);
};

/** Receives the bytes of one file. */
export type Visit = (entry: Entry, chunks: AsyncIterable<Uint8Array>) => Promise<void>;

/**
 * Reads and verifies a whole backup. Fails with `Unfit` if it is invalid or truncated. Until it
 * returns, the bytes passed to `visit` are unverified.
 */
export const read = async (
  handle: FileHandle,
  visit: Visit,
  keys: ReadonlyArray<Signature.Key> = [],
): Promise<Head & { readonly signature: Signature.Verdict }> => {
  const from = source(handle);
  const head = await readHead(from);
  for (let files = 0; ; files++) {
    const line = await from.line(maxLineBytes);
    const part = Option.getOrUndefined(decodePart(line.text));
    if (part === undefined) throw damagedAt(from.position());
    if ("files" in part) {
      const isWhole = part.files === files && part.sha256 === from.hash.digest("hex");
      if (!isWhole || !(await from.isAtEnd())) throw damagedAt(from.position());
      if (files !== head.attachments + 1 + Number(head.hasKeys))
        throw new Unfit("damaged", "its list of files");
      const verdict = Signature.verify(part.signature, keys, part.sha256);
      if (verdict === null) throw new Unfit("damaged", "its signature");
      return { ...head, signature: verdict };
    }
    line.accept();
    await readFile(from, part, visit);
  }
};

/** Reads only the head, without verifying the rest. */
export const readOnlyHead = (handle: FileHandle): Promise<Head> => readHead(source(handle));
