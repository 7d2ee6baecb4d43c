/**
 * Rows by key. A table on top of another contains that table's rows and its own changes, which
 * `merge` writes to the table below.
 */
export class Table<Row> {
  readonly #below: Table<Row> | null;
  readonly #changes = new Map<string, Row | undefined>();

  constructor(below: Table<Row> | null = null) {
    this.#below = below;
  }

  get(key: string): Row | undefined {
    return this.#changes.has(key) ? this.#changes.get(key) : this.#below?.get(key);
  }

  set(key: string, row: Row): void {
    this.#changes.set(key, row);
  }

  delete(key: string): void {
    if (this.#below === null) {
      this.#changes.delete(key);
    } else {
      this.#changes.set(key, undefined);
    }
  }

  entries(): Iterable<readonly [string, Row]> {
    return this.#below === null ? this.#rows : this.#merged();
  }

  values(): Iterable<Row> {
    return this.#below === null
      ? this.#rows.values()
      : Array.from(this.#merged(), ([, row]) => row);
  }

  /** The rows of the lowest table. Deleted rows leave nothing there. */
  get #rows(): Map<string, Row> {
    return this.#changes as Map<string, Row>;
  }

  *#merged(): Generator<readonly [string, Row]> {
    for (const entry of this.#below?.entries() ?? []) {
      if (!this.#changes.has(entry[0])) {
        yield entry;
      }
    }
    for (const [key, row] of this.#changes) {
      if (row !== undefined) {
        yield [key, row];
      }
    }
  }

  /** Writes the changes to the table below. */
  merge(): void {
    for (const [key, row] of this.#changes) {
      if (row === undefined) {
        this.#below?.delete(key);
      } else {
        this.#below?.set(key, row);
      }
    }
  }
}
