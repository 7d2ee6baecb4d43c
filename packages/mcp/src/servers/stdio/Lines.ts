import { Buffer } from "node:buffer";
import { Oversized } from "../../protocol/Oversized.ts";

export const newline = 0x0a;

export interface Reader {
  readonly line: (line: string) => void;
  /** Called with each complete line that exceeds the limit. */
  readonly oversized: (line: Oversized) => void;
}

/**
 * Splits a byte stream into lines. Buffers at most one line and one chunk, and only the ends of a
 * line beyond the limit, which `Stream.splitLines` cannot do.
 */
export class Lines {
  readonly #limit: () => number;
  readonly #reader: Reader;
  #parts: Array<Buffer> = [];
  #length = 0;
  #oversized: Oversized | null = null;

  constructor(limit: () => number, reader: Reader) {
    this.#limit = limit;
    this.#reader = reader;
  }

  /** Whether the current line has exceeded the limit. */
  get isSkipping(): boolean {
    return this.#oversized !== null;
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      this.#add(bytes.subarray(from, end));
      this.#complete();
      from = end + 1;
    }
    if (from < bytes.length) this.#add(bytes.subarray(from));
  }

  #add(part: Buffer): void {
    if (this.#oversized !== null) return this.#oversized.push(part);
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length <= this.#limit()) return;
    this.#oversized = new Oversized();
    for (const stored of this.#parts) this.#oversized.push(stored);
    this.#parts = [];
  }

  #complete(): void {
    const oversized = this.#oversized;
    const parts = this.#parts;
    this.#oversized = null;
    this.#parts = [];
    this.#length = 0;
    if (oversized !== null) return this.#reader.oversized(oversized);
    const line = parts.length === 1 ? parts[0] : Buffer.concat(parts);
    this.#reader.line(line?.toString("utf8") ?? "");
  }
}
