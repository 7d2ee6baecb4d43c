/** Attachment bytes in the database are in chunks of this size. */
export const chunkBytes = 256 * 1024;

/** Collects bytes into chunks of `chunkBytes`. The last one may be shorter. */
export class Chunks {
  #parts: Array<Uint8Array> = [];
  #size = 0;

  /** Adds bytes, and returns the chunks that are full. */
  add(bytes: Uint8Array): ReadonlyArray<Uint8Array> {
    const full: Array<Uint8Array> = [];
    let rest = bytes;
    while (this.#size + rest.length >= chunkBytes) {
      const taken = chunkBytes - this.#size;
      this.#parts.push(rest.subarray(0, taken));
      full.push(this.take());
      rest = rest.subarray(taken);
    }
    if (rest.length > 0) {
      this.#parts.push(rest);
      this.#size += rest.length;
    }
    return full;
  }

  take(): Uint8Array {
    const chunk = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    return chunk;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }
}
