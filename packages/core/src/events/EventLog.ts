import { Context, Effect, Layer, Option, type Stream } from "effect";
import { CurrentPrincipal } from "../access/Principal.ts";
import { includes } from "../access/Role.ts";
import type { Actor } from "../Actor.ts";
import { InvalidRequest, type StorageError } from "../CommonErrors.ts";
import { CoreOptions } from "../CoreOptions.ts";
import * as Id from "../Id.ts";
import * as Span from "../internal/Span.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import { AdminEventKind, type Event, type EventFilter, EventKind, type EventRow } from "./Event.ts";
import { EventStore } from "./EventStore.ts";
import * as EventTail from "./internal/EventTail.ts";

/** An event to record. Without an id or a timestamp it gets a new one. */
export type NewEvent = Omit<EventRow, "seq" | "id" | "createdAt" | "actor"> & {
  readonly id?: string;
  readonly createdAt?: string;
  readonly actor: Actor;
};

const adminKinds: ReadonlyArray<string> = AdminEventKind.literals;
const allKinds: ReadonlyArray<EventKind> = EventKind.literals;

/** The kinds that match one of `patterns` and that the principal may see; null for every kind. */
const kindsOf = (
  patterns: ReadonlyArray<string> | undefined,
  isAdmin: boolean,
): Effect.Effect<ReadonlyArray<EventKind> | null, InvalidRequest> => {
  if (patterns === undefined && isAdmin) return Effect.succeed(null);
  const visible = allKinds.filter((kind) => isAdmin || !adminKinds.includes(kind));
  if (patterns === undefined) return Effect.succeed(visible);
  const matches = (pattern: string) => (kind: string) =>
    pattern.endsWith(".*") ? kind.startsWith(pattern.slice(0, -1)) : kind === pattern;
  const unknown = patterns.find((pattern) => !allKinds.some(matches(pattern)));
  return unknown === undefined
    ? Effect.succeed(visible.filter((kind) => patterns.some((pattern) => matches(pattern)(kind))))
    : InvalidRequest.at(
        "kinds",
        `has no such kind: ${unknown}; use kinds such as issue.created or issue.*`,
      );
};

/**
 * A durable log of changes. Each event is written in the transaction of the change that it reports,
 * and an event has one of two states: recorded (its transaction is open, no subscriber gets it) or
 * committed (every subscriber gets it, in the order of `seq`, until it is pruned).
 *
 * Invariants: no committed event is missed, repeated or out of order in a stream; a subscriber gets
 * only events that its principal may see. `EventTail` has the states of subscribers.
 */
export class EventLog extends Context.Service<
  EventLog,
  {
    /** Records events in the current transaction. Subscribers get them after the commit. */
    record(events: ReadonlyArray<NewEvent>): Effect.Effect<void, StorageError>;
    /**
     * Gives an event that is not stored to the current subscribers of this node. It has no position
     * in the log, and no subscription resumes after it.
     */
    announce(event: NewEvent): Effect.Effect<void>;
    /** Returns whether a subscriber of this node may want events of this kind. */
    isWanted(kind: EventKind): Effect.Effect<boolean>;
    /**
     * Events from now on, or after `afterId`, that the principal may see and that match the filter.
     * The stream does not end. The subscription is active when the effect returns. A stream that
     * failed continues at its position when it runs again. While storage cannot be read, the stream
     * waits.
     *
     * Fails with `InvalidRequest` if `afterId` is not stored or a kind does not exist.
     *
     * @example
     * ```ts
     * import { EventLog, Issues } from "@quartermaster/core";
     * import { Effect, Stream } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const log = yield* EventLog.EventLog;
     *   const events = yield* log.subscribe({ filter: { kinds: ["issue.*"] } });
     *   yield* issues.create("shop", { title: "Rotate the keys" });
     *   const [event] = yield* Stream.runCollect(Stream.take(events, 1));
     *   return event?.kind; // "issue.created"
     * });
     * ```
     */
    subscribe(options?: {
      readonly afterId?: string | undefined;
      readonly filter?: EventFilter | undefined;
    }): Effect.Effect<
      Stream.Stream<Event, StorageError>,
      InvalidRequest | StorageError,
      CurrentPrincipal
    >;
    /** Removes events older than `CoreOptions.eventDays`, at most 5,000, and returns how many. */
    readonly prune: Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/events/EventLog") {
  static readonly layer = Layer.effect(
    EventLog,
    Effect.gen(function* () {
      const store = yield* EventStore;
      const transactor = yield* Transactor;
      const options = yield* CoreOptions;
      const newId = yield* Id.generator;
      const tail = yield* EventTail.make(store);

      const withId = Effect.fnUntraced(function* (event: NewEvent) {
        const id = event.id ?? (yield* newId("evt"));
        return { ...event, id, createdAt: event.createdAt ?? (yield* Timestamp.now) };
      });

      const record = Effect.fnUntraced(function* (events: ReadonlyArray<NewEvent>) {
        if (events.length === 0) return;
        const rows = yield* Effect.forEach(events, withId);
        yield* store.append(rows);
        yield* transactor.afterCommit(tail.committed(events));
      });

      const announce = (event: NewEvent) =>
        Effect.flatMap(withId(event), (row) => tail.announce({ ...row, seq: 0 }));

      const isWanted = (kind: EventKind) => Effect.sync(() => tail.isWanted(kind));

      const subscribe = Span.fn("EventLog.subscribe")(function* (
        request: {
          readonly afterId?: string | undefined;
          readonly filter?: EventFilter | undefined;
        } = {},
      ) {
        const principal = yield* CurrentPrincipal;
        const { afterId, filter } = request;
        const kinds = yield* kindsOf(
          filter?.kinds,
          includes(principal.role, "Admin") && principal.projects === null,
        );
        const query = { projects: principal.projects, kinds };
        const projectId = filter?.projectId;
        if (afterId === undefined) return tail.follow(query, projectId, yield* tail.now);
        const seq = yield* store.seqOf(afterId);
        if (Option.isNone(seq)) {
          return yield* InvalidRequest.at(
            "Last-Event-ID",
            "is unknown, or older than the retained events; start again without it",
          );
        }
        return tail.follow(query, projectId, seq.value);
      });

      const prune = Effect.gen(function* () {
        const now = yield* Timestamp.now;
        return yield* store.prune(Timestamp.addSeconds(now, -options.eventDays * 86_400), 5_000);
      });

      return EventLog.of({ record, announce, isWanted, subscribe, prune });
    }),
  );
}
