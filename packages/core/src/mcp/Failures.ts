/**
 * How often a server failed lately, and what follows: it is tried again after half a second, then
 * after twice as long each time, and is given up after 5 failures in a minute. A server of another
 * generation begins anew.
 */

const windowMillis = 60_000;
const most = 5;
const firstDelayMillis = 500;

interface Record {
  readonly generation: number;
  readonly times: ReadonlyArray<number>;
}

export class Failures {
  readonly #records = new Map<string, Record>();

  #recent(serverId: string, generation: number, now: number): ReadonlyArray<number> {
    const record = this.#records.get(serverId);
    return record?.generation === generation
      ? record.times.filter((time) => time > now - windowMillis)
      : [];
  }

  /** Notes a failure. Answers whether the server is to be given up. */
  note(serverId: string, generation: number, now: number): boolean {
    const times = [...this.#recent(serverId, generation, now), now];
    this.#records.set(serverId, { generation, times });
    return times.length >= most;
  }

  /** Milliseconds until it may be tried again. */
  delay(serverId: string, generation: number, now: number): number {
    const times = this.#recent(serverId, generation, now);
    const last = times.at(-1);
    return last === undefined
      ? 0
      : Math.max(0, last + firstDelayMillis * 2 ** (times.length - 1) - now);
  }

  /** Whether it failed and was not given up. */
  pending(serverId: string): boolean {
    return this.#records.has(serverId);
  }

  forget(serverId: string): void {
    this.#records.delete(serverId);
  }
}
