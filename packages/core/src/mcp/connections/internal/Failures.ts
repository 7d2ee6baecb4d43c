/**
 * How often servers failed lately, and what follows. A server is tried again after 0.5 s, then after
 * twice as long each time. It is given up after 5 failures within a minute, or after 5 attempts in a
 * row that opened no connection, however long they took. A new generation starts from zero.
 */

const windowMillis = 60_000;
const maxFailures = 5;
const firstDelayMillis = 500;

interface Record {
  readonly generation: number;
  readonly times: ReadonlyArray<number>;
  /** Attempts in a row that opened no connection. */
  readonly unopened: number;
}

const none = { times: [], unopened: 0 };

export class Failures {
  readonly #records = new Map<string, Record>();

  #of(serverId: string, generation: number): Omit<Record, "generation"> {
    const record = this.#records.get(serverId);
    return record?.generation === generation ? record : none;
  }

  /** Records that a connection was lost. Returns whether to give the server up. */
  note(serverId: string, generation: number, now: number): boolean {
    const { times, unopened } = this.#of(serverId, generation);
    const recent = [...times.filter((time) => time > now - windowMillis), now];
    this.#records.set(serverId, { generation, times: recent, unopened });
    return recent.length >= maxFailures;
  }

  /** Records that no connection could be opened. Returns whether to give the server up. */
  noteUnopened(serverId: string, generation: number, now: number): boolean {
    const isLast = this.note(serverId, generation, now);
    const { times, unopened } = this.#of(serverId, generation);
    this.#records.set(serverId, { generation, times, unopened: unopened + 1 });
    return isLast || unopened + 1 >= maxFailures;
  }

  /** Records that a connection was opened. */
  opened(serverId: string, generation: number): void {
    const { times, unopened } = this.#of(serverId, generation);
    if (unopened > 0) this.#records.set(serverId, { generation, times, unopened: 0 });
  }

  /** Milliseconds until the next attempt. */
  delay(serverId: string, generation: number, now: number): number {
    const { times, unopened } = this.#of(serverId, generation);
    const last = times.at(-1);
    if (last === undefined) return 0;
    const recent = times.filter((time) => time > now - windowMillis).length;
    const count = Math.max(recent, unopened);
    // A clock that is set back must not extend the delay.
    const since = Math.max(0, now - last);
    return Math.max(0, firstDelayMillis * 2 ** (count - 1) - since);
  }

  /** Whether the server failed and was not given up. */
  isFailing(serverId: string): boolean {
    return this.#records.has(serverId);
  }

  forget(serverId: string): void {
    this.#records.delete(serverId);
  }
}
