import type { Line, LogLines } from "./logLines.ts";

/** Lines between two looks at the clock. */
const step = 500;

/** The index of the first position that is not below this one. */
export const indexOf = (positions: ReadonlyArray<number>, position: number): number => {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle] ?? Infinity) < position) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * The positions of the lines that match, oldest first. It goes over a log in slices, so that no task is long, and over new
 * lines only.
 */
export class LogFilter {
  readonly positions: Array<number> = [];
  readonly #log: LogLines;
  readonly #accepts: (line: Line) => boolean;
  #next = 0;
  /** The positions of lines that were not complete when they were looked at. */
  #open: ReadonlyArray<number> = [];

  constructor(log: LogLines, accepts: (line: Line) => boolean) {
    this.#log = log;
    this.#accepts = accepts;
  }

  /** Whether it has gone over all lines. */
  get isComplete(): boolean {
    return this.#next >= this.#log.lines.length;
  }

  /** Goes on for a time in milliseconds. Returns whether lines are left. */
  advance(millis: number): boolean {
    const { lines, open } = this.#log;
    const until = performance.now() + millis;
    for (const position of this.#open) this.#look(position);
    while (this.#next < lines.length) {
      const end = Math.min(lines.length, this.#next + step);
      for (; this.#next < end; this.#next++) {
        const line = lines[this.#next];
        if (line !== undefined && this.#accepts(line)) this.positions.push(this.#next);
      }
      if (performance.now() >= until) break;
    }
    this.#open = open.filter((position) => position < this.#next);
    return this.#next < lines.length;
  }

  /** Adds or removes a position, in order. */
  #look(position: number): void {
    const line = this.#log.lines[position];
    const at = indexOf(this.positions, position);
    const isListed = this.positions[at] === position;
    const isWanted = line !== undefined && this.#accepts(line);
    if (isWanted !== isListed)
      this.positions.splice(at, isListed ? 1 : 0, ...(isWanted ? [position] : []));
  }
}
