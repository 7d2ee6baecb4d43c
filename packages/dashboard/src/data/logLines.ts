/** The lines of a log. */

export type Stream = "stdout" | "stderr" | "host";

export interface Line {
  /** The line's number, from 1. */
  readonly n: number;
  readonly stream: Stream;
  readonly at: string;
  readonly text: string;
  /** With a block of several lines: the number of its first line. A block is one long entry of a host. */
  readonly block?: number;
  /** With the first line of a block: the number of its lines. */
  readonly length?: number;
  /** The number of entries that were dropped here. Such a line has no text. */
  readonly missing?: number;
}

interface Entry extends Pick<Line, "at" | "stream" | "text"> {
  /** The entry's number in the run. */
  readonly n: number;
}

/** The lines of an entry of a host from which on it is a block that opens. */
const blockLines = 7;

/** Splits entries into lines. An entry may end within a line, which the next entry of its stream continues. */
export class LogLines {
  readonly lines: Array<Line> = [];
  /** The positions of lines without an end. */
  readonly #open = new Map<Stream, number>();
  #last = 0;

  /** The positions of lines that the next entry may continue. */
  get open(): ReadonlyArray<number> {
    return [...this.#open.values()];
  }

  add({ at, n: entry, stream, text }: Entry): void {
    const missing = entry - this.#last - 1;
    this.#last = entry;
    if (missing > 0) {
      this.#open.clear();
      this.#push({ stream, at, text: "", missing });
    }
    const parts = text.split("\n");
    const last = parts.length - 1;
    const length = parts.at(-1) === "" ? last : parts.length;
    const isBlock = stream === "host" && length >= blockLines && !this.#open.has(stream);
    const block = this.lines.length + 1;
    for (const [index, part] of parts.entries()) {
      const position = this.#open.get(stream);
      const line = position === undefined ? undefined : this.lines[position];
      if (line !== undefined && position !== undefined) {
        this.lines[position] = { ...line, text: line.text + part };
      } else if (part !== "" || index < last) {
        this.#open.set(stream, this.lines.length);
        const first = isBlock && index === 0 ? { length } : {};
        this.#push({ stream, at, text: part, ...(isBlock ? { block } : {}), ...first });
      }
      if (index < last) this.#open.delete(stream);
    }
  }

  #push(line: Omit<Line, "n">): void {
    this.lines.push({ n: this.lines.length + 1, ...line });
  }
}
