import type { Event, EventRow } from "../Event.ts";

/** The fields of an event that decide who gets it. */
export type Candidate = Pick<EventRow, "kind" | "projectId" | "relatedProjectId">;

export type Wants = (event: Candidate) => boolean;

/**
 * The limits of the events in memory. An event has about 500 bytes, so the number is usually
 * reached first.
 */
const maxEvents = 10_000;
const maxBytes = 16 * 1024 * 1024;
/** Bytes of an event without its data: ids, kind, actor and timestamp. */
const bytesBesideData = 300;

/**
 * The newest events in memory: all events after `floor` and up to `head`, in the order of `seq`.
 * Before the first read, `floor` is `Infinity` and `head` is `-Infinity`, so no `seq` lies between
 * them.
 */
export class RecentEvents {
  #items: Array<{ readonly row: EventRow; readonly event: Event; readonly bytes: number }> = [];
  #bytes = 0;
  #floor = Infinity;
  #head = -Infinity;

  get floor(): number {
    return this.#floor;
  }

  get head(): number {
    return this.#head;
  }

  /** Drops all events. */
  clear(): void {
    this.#items = [];
    this.#bytes = 0;
    this.#floor = Infinity;
    this.#head = -Infinity;
  }

  /** Starts without events at `seq`. */
  startAt(seq: number): void {
    this.clear();
    this.#floor = seq;
    this.#head = seq;
  }

  /** Adds all events after `head` and up to `upTo`, and drops the oldest beyond the bounds. */
  append(rows: ReadonlyArray<EventRow>, upTo: number): void {
    for (const row of rows) {
      const bytes = JSON.stringify(row.data).length + bytesBesideData;
      this.#items.push({ row, event: toEvent(row), bytes });
      this.#bytes += bytes;
    }
    this.#head = upTo;
    let dropped = 0;
    for (const { bytes, row } of this.#items) {
      if (this.#items.length - dropped <= maxEvents && this.#bytes <= maxBytes) break;
      dropped += 1;
      this.#bytes -= bytes;
      this.#floor = row.seq;
    }
    if (dropped > 0) this.#items = this.#items.slice(dropped);
  }

  /**
   * At most `limit` wanted events after `after`, which is not below `floor`, and the `seq` up to
   * which the result is complete.
   */
  read(
    after: number,
    wants: Wants,
    limit: number,
  ): { readonly events: ReadonlyArray<Event>; readonly reached: number } {
    const events: Array<Event> = [];
    for (let n = this.#indexAfter(after); n < this.#items.length; n++) {
      const item = this.#items[n];
      if (item === undefined || !wants(item.row)) continue;
      events.push(item.event);
      if (events.length === limit) return { events, reached: item.row.seq };
    }
    return { events, reached: this.#head };
  }

  #indexAfter(seq: number): number {
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#items[middle]?.row.seq ?? seq) > seq) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** The event of a row. */
export const toEvent = (row: EventRow): Event => ({
  id: row.id,
  kind: row.kind,
  projectId: row.projectId,
  subjectId: row.subjectId,
  issueKey: row.issueKey,
  actor: row.actor,
  data: row.data,
  createdAt: row.createdAt,
});
