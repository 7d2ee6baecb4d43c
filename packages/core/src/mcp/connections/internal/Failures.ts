import * as Timestamp from "../../../Timestamp.ts";
import type * as Outage from "../../Outage.ts";
import { type Key, nameOf } from "./ConnectionSlot.ts";

/**
 * Counts the recent failures of connections, by server, or by server and agent if each agent has
 * its own process. A connection is opened again after 0.5 s, then after twice as long each time.
 * The service gives up after 5 failures within a minute, or after 5 attempts in a row that opened
 * no connection, however long they took. A new generation starts from zero.
 */

const windowMillis = 60_000;
const maxFailures = 5;
const firstDelayMillis = 500;

interface Record {
  readonly times: ReadonlyArray<number>;
  /** Attempts in a row that opened no connection. */
  readonly unopened: number;
  /** The first failure since a connection was opened; null while one is open. */
  readonly since: number | null;
}

const none: Record = { times: [], unopened: 0, since: null };

export class Failures {
  readonly #records = new Map<string, Record & Pick<Key, "generation" | "serverId">>();

  #of(key: Key): Record {
    const record = this.#records.get(nameOf(key));
    return record?.generation === key.generation ? record : none;
  }

  #set({ generation, serverId, ...key }: Key, record: Record): void {
    this.#records.set(nameOf({ serverId, ...key }), { ...record, generation, serverId });
  }

  /** Records that a connection was lost. Returns whether to give up on it. */
  note(key: Key, now: number): boolean {
    const { since, times, unopened } = this.#of(key);
    const recent = [...times.filter((time) => time > now - windowMillis), now];
    this.#set(key, { times: recent, unopened, since: since ?? now });
    return recent.length >= maxFailures;
  }

  /**
   * Records that a call did not reach the server of an open connection. Returns whether to give up
   * on it.
   */
  noteUnreached(key: Key, now: number): boolean {
    const { since } = this.#of(key);
    const isLast = this.note(key, now);
    this.#set(key, { ...this.#of(key), since });
    return isLast;
  }

  /** Records that no connection could be opened. Returns whether to give up on it. */
  noteUnopened(key: Key, now: number): boolean {
    const isLast = this.note(key, now);
    const record = this.#of(key);
    const unopened = record.unopened + 1;
    this.#set(key, { ...record, unopened });
    return isLast || unopened >= maxFailures;
  }

  /** Records that a connection was opened. */
  opened(key: Key): void {
    const record = this.#of(key);
    if (record.since !== null) this.#set(key, { ...record, unopened: 0, since: null });
  }

  /** Milliseconds until the next attempt. */
  delay(key: Key, now: number): number {
    const { times, unopened } = this.#of(key);
    const last = times.at(-1);
    if (last === undefined) return 0;
    const recent = times.filter((time) => time > now - windowMillis).length;
    const count = Math.max(recent, unopened);
    // A clock that is set back must not extend the delay.
    const since = Math.max(0, now - last);
    return Math.max(0, firstDelayMillis * 2 ** (count - 1) - since);
  }

  /**
   * The time since which no connection is open, in milliseconds since the epoch; null without a
   * failure.
   */
  since(key: Key): number | null {
    return this.#of(key).since;
  }

  /**
   * The time since which no connection is open, and the time of the next attempt; null without a
   * failure.
   */
  retry(key: Key, now: number): Outage.Retry | null {
    const since = this.since(key);
    return since === null
      ? null
      : {
          since: Timestamp.ofMillis(since),
          retryAt: Timestamp.ofMillis(now + this.delay(key, now)),
        };
  }

  /** Whether it failed and the service has not given up on it. */
  isFailing(key: Key): boolean {
    return this.#records.has(nameOf(key));
  }

  forget(key: Pick<Key, "serverId" | "agentId">): void {
    this.#records.delete(nameOf(key));
  }

  /** Removes the server and its agents. */
  forgetServer(serverId: string): void {
    for (const [name, record] of this.#records) {
      if (record.serverId === serverId) this.#records.delete(name);
    }
  }
}
