import { Context, Effect, Layer, Option, Stream } from "effect";
import { CurrentPrincipal, type Principal } from "../access/Principal.ts";
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
import * as Recent from "./internal/Recent.ts";
import * as RecentEvents from "./internal/RecentEvents.ts";
import * as Since from "./internal/Since.ts";

/** An event to record. Without an id or a timestamp it gets a new one. */
export type NewEvent = Omit<EventRow, "seq" | "id" | "createdAt" | "actor" | "issueKey"> & {
  readonly id?: string;
  readonly createdAt?: string;
  /** Default: null. */
  readonly issueKey?: string | null;
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

const kindsFor = ({ projects, role }: Principal, filter: EventFilter | undefined) =>
  kindsOf(filter?.kinds, includes(role, "Admin") && projects === null);

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
     * Events from now on, after `afterId`, or else created at `since` or later, that the principal may
     * see and that match the filter.
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
      readonly since?: Timestamp.Timestamp | undefined;
      readonly filter?: EventFilter | undefined;
    }): Effect.Effect<
      Stream.Stream<Event, StorageError>,
      InvalidRequest | StorageError,
      CurrentPrincipal
    >;
    /**
     * The newest events that the principal may see and that match the filter, newest first, among the last
     * 10,000 of the log. Fails with `InvalidRequest` if a kind does not exist.
     */
    recent(options?: {
      /** 1 to 100. Default: 50. */
      readonly limit?: number | undefined;
      readonly filter?: EventFilter | undefined;
    }): Effect.Effect<ReadonlyArray<Event>, InvalidRequest | StorageError, CurrentPrincipal>;
    /**
     * Removes events older than `CoreOptions.eventDays`, at most 5,000, and returns how many. Removes none that was
     * created at `retainedFrom` or later.
     */
    prune(retainedFrom: Timestamp.Timestamp | null): Effect.Effect<number, StorageError>;
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
        return {
          ...event,
          id,
          issueKey: event.issueKey ?? null,
          createdAt: event.createdAt ?? (yield* Timestamp.now),
        };
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
          readonly since?: Timestamp.Timestamp | undefined;
          readonly filter?: EventFilter | undefined;
        } = {},
      ) {
        const principal = yield* CurrentPrincipal;
        const { afterId, filter, since } = request;
        const kinds = yield* kindsFor(principal, filter);
        const query = { projects: principal.projects, kinds };
        const projectId = filter?.projectId;
        if (afterId === undefined && since !== undefined) {
          const position = yield* Since.positionOf(store, since);
          return Stream.filter(
            tail.follow(query, projectId, position),
            ({ createdAt }) => createdAt >= since,
          );
        }
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

      const recent = Span.fn("EventLog.recent")(function* ({
        filter,
        limit = 50,
      }: {
        readonly limit?: number | undefined;
        readonly filter?: EventFilter | undefined;
      } = {}) {
        const principal = yield* CurrentPrincipal;
        const kinds = yield* kindsFor(principal, filter);
        if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
          return yield* InvalidRequest.at("limit", "must be a whole number from 1 to 100");
        }
        const { projectId } = filter ?? {};
        const rows = yield* Recent.read(store, principal, { projectId, kinds, limit });
        return rows.map(RecentEvents.toEvent);
      });

      const prune = Effect.fnUntraced(function* (retainedFrom: Timestamp.Timestamp | null) {
        const before = Timestamp.addSeconds(yield* Timestamp.now, -options.eventDays * 86_400);
        const isLater = retainedFrom === null || retainedFrom > before;
        return yield* store.prune(isLater ? before : retainedFrom, 5_000);
      });

      return EventLog.of({ record, announce, isWanted, subscribe, recent, prune });
    }),
  );
}
