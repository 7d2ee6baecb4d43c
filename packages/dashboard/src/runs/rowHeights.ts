/** Rows whose heights are added up together. */
const blockRows = 512;

/**
 * The heights of many rows in pixels: `height` each, but for rows that were measured and have another one. Costs nothing
 * per row, so that a log may have a million.
 */
export class RowHeights {
  readonly #height: number;
  /** By row: the pixels beyond `height`. */
  readonly #extra = new Map<number, number>();
  /** By block: the sum of the pixels beyond `height`. */
  readonly #blocks: Array<number> = [];

  constructor(height: number) {
    this.#height = height;
  }

  /** Stores a measured height. Returns the change in pixels. */
  set(row: number, height: number): number {
    const extra = height - this.#height;
    const change = extra - (this.#extra.get(row) ?? 0);
    if (change === 0) return 0;
    this.#extra.set(row, extra);
    const block = Math.floor(row / blockRows);
    while (this.#blocks.length <= block) this.#blocks.push(0);
    this.#blocks[block] = (this.#blocks[block] ?? 0) + change;
    return change;
  }

  /** The distance from the start of the list to the start of the row. */
  topOf(row: number): number {
    const block = Math.floor(row / blockRows);
    let top = row * this.#height;
    for (let index = 0; index < Math.min(block, this.#blocks.length); index++) {
      top += this.#blocks[index] ?? 0;
    }
    if (block >= this.#blocks.length) return top;
    for (let index = block * blockRows; index < row; index++) top += this.#extra.get(index) ?? 0;
    return top;
  }

  /** The row at a distance from the start of the list. */
  rowAt(distance: number): number {
    let top = 0;
    let row = 0;
    for (const extra of this.#blocks) {
      const next = top + blockRows * this.#height + extra;
      if (next > distance) break;
      top = next;
      row += blockRows;
    }
    if (row >= this.#blocks.length * blockRows) {
      return row + Math.max(0, Math.floor((distance - top) / this.#height));
    }
    for (;;) {
      top += this.#height + (this.#extra.get(row) ?? 0);
      if (top > distance) return row;
      row += 1;
    }
  }
}
