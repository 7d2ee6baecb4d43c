/** Chance that can be repeated: the seed is printed, and QM_SEED sets it. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  static seeded(what: string): Dice {
    const seed = Number(process.env["QM_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
    // oxlint-disable-next-line no-console -- without it a failure could not be repeated
    console.info(`${what}: QM_SEED=${seed}`);
    return new Dice(seed);
  }

  /** From 0 to 1, as Mulberry32 makes it. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<A>(items: ReadonlyArray<A>): A {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  /** Independent dice, for a client that acts at the same time. */
  split(): Dice {
    return new Dice(this.below(2 ** 32));
  }
}
