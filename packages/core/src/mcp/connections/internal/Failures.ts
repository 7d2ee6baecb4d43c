/**
 * How often a server failed lately, and what follows: it is tried again after half a second, then
 * after twice as long each time, and is given up after 5 failures in a minute, or after 5 attempts
 * in a row that came to nothing, however long they took. A server of another generation begins anew.
 */

const windowMillis = 60_000;
const most = 5;
const firstDelayMillis = 500;

interface Record {
  readonly generation: number;
  readonly times: ReadonlyArray<number>;
  /** How many attempts in a row came to nothing. */
  readonly inVain: number;
}

const nothing = { times: [], inVain: 0 };

export class Failures {
  readonly #records = new Map<string, Record>();

  #of(serverId: string, generation: number): Omit<Record, "generation"> {
    const record = this.#records.get(serverId);
    return record?.generation === generation ? record : nothing;
  }

  /** Notes that a connection was lost. Answers whether the server is to be given up. */
  note(serverId: string, generation: number, now: number): boolean {
    const { inVain, times } = this.#of(serverId, generation);
    const recent = [...times.filter((time) => time > now - windowMillis), now];
    this.#records.set(serverId, { generation, times: recent, inVain });
    return recent.length >= most;
  }

  /** Notes that none came up. Answers whether the server is to be given up. */
  noteInVain(serverId: string, generation: number, now: number): boolean {
    const isLast = this.note(serverId, generation, now);
    const { inVain, times } = this.#of(serverId, generation);
    this.#records.set(serverId, { generation, times, inVain: inVain + 1 });
    return isLast || inVain + 1 >= most;
  }

  /** Notes that one came up. */
  cameUp(serverId: string, generation: number): void {
    const { inVain, times } = this.#of(serverId, generation);
    if (inVain > 0) this.#records.set(serverId, { generation, times, inVain: 0 });
  }

  /** Milliseconds until it may be tried again. */
  delay(serverId: string, generation: number, now: number): number {
    const { inVain, times } = this.#of(serverId, generation);
    const last = times.at(-1);
    if (last === undefined) return 0;
    const recent = times.filter((time) => time > now - windowMillis).length;
    const count = Math.max(recent, inVain);
    // A clock that was set back makes no wait longer.
    const since = Math.max(0, now - last);
    return Math.max(0, firstDelayMillis * 2 ** (count - 1) - since);
  }

  /** Whether it failed and was not given up. */
  pending(serverId: string): boolean {
    return this.#records.has(serverId);
  }

  forget(serverId: string): void {
    this.#records.delete(serverId);
  }
}
