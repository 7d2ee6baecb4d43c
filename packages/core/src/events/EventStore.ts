import { Context, type Effect, type Option, type Stream } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { EventKind, EventRow } from "./Event.ts";

/** A filter for events. */
export interface EventQuery {
  /**
   * Only events of these projects; an event with a related project only if that project is also one
   * of these. Null matches every event, including events without a project.
   */
  readonly projects: ReadonlyArray<string> | null;
  /** Only events of these kinds. Null matches every kind. */
  readonly kinds: ReadonlyArray<EventKind> | null;
}

/** Port: stores events. */
export class EventStore extends Context.Service<
  EventStore,
  {
    /**
     * Stores new events, in this order. Their `seq` grows in the order of commits, over all nodes.
     * A storage decides whether the transaction itself can list them.
     */
    append(events: ReadonlyArray<Omit<EventRow, "seq">>): Effect.Effect<void, StorageError>;
    /** The `seq` of the newest event; 0 without events. */
    lastSeq: Effect.Effect<number, StorageError>;
    /** The `seq` of an event, if it is stored. */
    seqOf(eventId: string): Effect.Effect<Option.Option<number>, StorageError>;
    /** At most `limit` matching events after `after` and up to `until`, oldest first. */
    list(
      query: EventQuery,
      range: { readonly after: number; readonly until: number; readonly limit: number },
    ): Effect.Effect<ReadonlyArray<EventRow>, StorageError>;
    /**
     * Emits when there may be new events, including events of other nodes. It may miss some events,
     * because core also polls. A storage that cannot notify has `Stream.never`. Core runs it once
     * per node.
     */
    readonly bell: Stream.Stream<void, StorageError>;
    /** Removes events created before `before`, at most `limit`, and returns how many. */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/events/EventStore") {}
