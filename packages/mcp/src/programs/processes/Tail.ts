import { Buffer } from "node:buffer";
import { stripVTControlCharacters } from "node:util";

/** The size of each part: the start and the end. */
const maxBytes = 4_096;
const firstLines = 5;
const lastLines = 15;

const linesOf = (text: string): ReadonlyArray<string> => {
  const trimmed = text.trim();
  return trimmed === "" ? [] : trimmed.split("\n");
};

/**
 * The first and last lines of a program's output, in bounded memory. The cause of a failure often
 * precedes a stack trace or usage text.
 */
export class Tail {
  #start: Buffer = Buffer.alloc(0);
  #end: Buffer = Buffer.alloc(0);
  /** Whether bytes between start and end were dropped. */
  #isCut = false;

  push(chunk: Uint8Array): void {
    const room = maxBytes - this.#start.length;
    if (room > 0) this.#start = Buffer.concat([this.#start, chunk.subarray(0, room)]);
    const rest = chunk.subarray(room);
    if (rest.length === 0) return;
    this.#isCut ||= this.#end.length + rest.length > maxBytes;
    // Copies only the last bytes of a chunk.
    this.#end = Buffer.concat([this.#end, rest.subarray(-maxBytes)]).subarray(-maxBytes);
  }

  /** Whole lines only: a partial line could contain part of a secret that redaction misses. */
  get text(): string {
    const { first, last, omits } = this.#lines;
    return [...first, ...(omits ? ["…"] : []), ...last].join("\n").trim();
  }

  /** Whether lines between the first and last ones were dropped. */
  get omits(): boolean {
    return this.#lines.omits;
  }

  get #lines() {
    if (this.#isCut) {
      const start = stripVTControlCharacters(this.#start.toString("utf8"));
      const end = stripVTControlCharacters(this.#end.toString("utf8"));
      return {
        first: linesOf(start.slice(0, start.lastIndexOf("\n") + 1)).slice(0, firstLines),
        last: linesOf(end.replace(/^\S*(?:[^\n]*\n|\s)/, "")).slice(-lastLines),
        omits: true,
      };
    }
    const all = Buffer.concat([this.#start, this.#end]).toString("utf8");
    const lines = linesOf(stripVTControlCharacters(all));
    return lines.length <= firstLines + lastLines
      ? { first: [], last: lines, omits: false }
      : { first: lines.slice(0, firstLines), last: lines.slice(-lastLines), omits: true };
  }
}
