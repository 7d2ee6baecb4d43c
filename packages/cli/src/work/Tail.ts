import { Buffer } from "node:buffer";
import { stripVTControlCharacters } from "node:util";

/** The maximum bytes of output in a comment. */
export const maxBytes = 16 * 1_024;

/**
 * The end of a command's output in bounded memory: at most 2 × (`maxBytes` + the secret's length)
 * bytes. The extra bytes ensure that a secret at the cut is still replaced.
 */
export class Tail {
  readonly #secret: string;
  readonly #capacity: number;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(secret: string) {
    this.#secret = secret;
    this.#capacity = maxBytes + Buffer.byteLength(secret);
  }

  push(chunk: Uint8Array): void {
    const last = chunk.subarray(-this.#capacity);
    this.#bytes = Buffer.concat([this.#bytes, last]).subarray(-this.#capacity);
  }

  /** The text without the secret, control characters and surrounding empty lines. */
  get text(): string {
    const clean = stripVTControlCharacters(this.#bytes.toString("utf8"))
      .replaceAll(this.#secret, "[secret QM_KEY]")
      // oxlint-disable-next-line no-control-regex -- these are the characters to remove
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");
    return lastBytes(clean, maxBytes)
      .replace(/^(?:[^\S\n]*\n)+/, "")
      .trimEnd();
  }
}

/**
 * The longest suffix of a text that has at most `limit` bytes in UTF-8 and starts with a whole
 * character.
 */
const lastBytes = (text: string, limit: number): string => {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= limit) return text;
  let start = bytes.length - limit;
  while (((bytes[start] ?? 0) & 0b1100_0000) === 0b1000_0000) start += 1;
  return bytes.subarray(start).toString("utf8");
};
