import { Buffer } from "node:buffer";

const newline = 0x0a;

/**
 * Cuts a stream of bytes into lines. Holds at most one line and one chunk, and refuses a line beyond the
 * limit before it is complete, which `Stream.splitLines` cannot.
 */
export class Lines {
  readonly #limit: number;
  #parts: Array<Buffer> = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Calls `onLine` for each line that the chunk completes. Returns whether the limit holds. */
  push(chunk: Uint8Array, onLine: (line: string) => void): boolean {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    for (;;) {
      const end = bytes.indexOf(newline, from);
      if (this.#length + (end < 0 ? bytes.length : end) - from > this.#limit) {
        this.#parts = [];
        this.#length = 0;
        return false;
      }
      if (end < 0) break;
      onLine(this.#take(bytes.subarray(from, end)));
      from = end + 1;
    }
    if (from < bytes.length) {
      this.#parts.push(bytes.subarray(from));
      this.#length += bytes.length - from;
    }
    return true;
  }

  #take(last: Buffer): string {
    if (this.#parts.length === 0) return last.toString("utf8");
    const line = Buffer.concat([...this.#parts, last]).toString("utf8");
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}
