import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { EventKind, EventRow } from "./Event.ts";

/** Which events a reader may see and asked for. */
export interface EventQuery {
  /**
   * Events of these projects whose related project, if any, is among them, too; null for every
   * event, also those of no project.
   */
  readonly projects: ReadonlyArray<string> | null;
  /** Null for every kind. */
  readonly kinds: ReadonlyArray<EventKind> | null;
}

/** Port: where events are kept. */
export class EventStore extends Context.Service<
  EventStore,
  {
    /** Keeps new events, in this order. Their `seq` grows in the order of commits, over all nodes. */
    append(events: ReadonlyArray<Omit<EventRow, "seq">>): Effect.Effect<void, StorageError>;
    /** The `seq` of the newest event, 0 without any. */
    lastSeq: Effect.Effect<number, StorageError>;
    /** The `seq` of the event of that id, if it is still kept. */
    seqOf(eventId: string): Effect.Effect<Option.Option<number>, StorageError>;
    /** At most `limit` events after `after` and up to `until`, oldest first, that match. */
    list(
      query: EventQuery,
      range: { readonly after: number; readonly until: number; readonly limit: number },
    ): Effect.Effect<ReadonlyArray<EventRow>, StorageError>;
    /** Removes events made before `before`, at most `limit`, and answers how many. */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/events/EventStore") {}
