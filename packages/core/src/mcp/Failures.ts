/**
 * How often a server failed lately, and what follows: it is tried again after half a second, then
 * after twice as long each time, and is given up after 5 failures in a minute.
 */

const windowMillis = 60_000;
const most = 5;
const firstDelayMillis = 500;

export class Failures {
  readonly #times = new Map<string, ReadonlyArray<number>>();

  #recent(serverId: string, now: number): ReadonlyArray<number> {
    return (this.#times.get(serverId) ?? []).filter((time) => time > now - windowMillis);
  }

  /** Notes a failure. Answers whether the server is to be given up. */
  note(serverId: string, now: number): boolean {
    const times = [...this.#recent(serverId, now), now];
    this.#times.set(serverId, times);
    return times.length >= most;
  }

  /** Milliseconds until it may be tried again. */
  delay(serverId: string, now: number): number {
    const times = this.#recent(serverId, now);
    const last = times.at(-1);
    if (last === undefined) {
      this.#times.delete(serverId);
      return 0;
    }
    return Math.max(0, last + firstDelayMillis * 2 ** (times.length - 1) - now);
  }

  /** Whether it failed and was not given up. */
  pending(serverId: string): boolean {
    return this.#times.has(serverId);
  }

  forget(serverId: string): void {
    this.#times.delete(serverId);
  }
}
