/** The lines of a log. */

export type Stream = "stdout" | "stderr" | "host";

export interface Line {
  /** The line's number, from 1. */
  readonly n: number;
  readonly stream: Stream;
  readonly at: string;
  readonly text: string;
}

/** Splits entries into lines. An entry may end within a line, which the next entry of its stream continues. */
export class LogLines {
  readonly lines: Array<Line> = [];
  /** The positions of lines without an end. */
  readonly #open = new Map<Stream, number>();

  add({ at, stream, text }: Omit<Line, "n">): void {
    const parts = text.split("\n");
    const last = parts.length - 1;
    for (const [index, part] of parts.entries()) {
      const position = this.#open.get(stream);
      const line = position === undefined ? undefined : this.lines[position];
      if (line !== undefined && position !== undefined) {
        this.lines[position] = { ...line, text: line.text + part };
      } else if (part !== "" || index < last) {
        this.#open.set(stream, this.lines.length);
        this.lines.push({ n: this.lines.length + 1, stream, at, text: part });
      }
      if (index < last) this.#open.delete(stream);
    }
  }
}
