import { Context, Deferred, Effect, Exit, Layer, Option, Schedule, Stream } from "effect";
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
import { type EventQuery, EventStore } from "./EventStore.ts";

/** An event to be recorded. Without an id or a moment it gets one. */
export type NewEvent = Omit<EventRow, "seq" | "id" | "createdAt" | "actor"> & {
  readonly id?: string;
  readonly createdAt?: string;
  readonly actor: Actor;
};

/** How many events are read at once, for one subscriber. */
const batch = 200;

const adminKinds: ReadonlyArray<string> = AdminEventKind.literals;
const allKinds: ReadonlyArray<EventKind> = EventKind.literals;

/** The kinds that a filter lets through, of those that a principal is told of. */
const kindsOf = (
  patterns: ReadonlyArray<string> | undefined,
  admin: boolean,
): Effect.Effect<ReadonlyArray<EventKind> | null, InvalidRequest> => {
  if (patterns === undefined && admin) return Effect.succeed(null);
  const visible = allKinds.filter((kind) => admin || !adminKinds.includes(kind));
  if (patterns === undefined) return Effect.succeed(visible);
  const matches = (pattern: string) => (kind: string) =>
    pattern.endsWith(".*") ? kind.startsWith(pattern.slice(0, -1)) : kind === pattern;
  const unknown = patterns.find((pattern) => !allKinds.some(matches(pattern)));
  return unknown === undefined
    ? Effect.succeed(visible.filter((kind) => patterns.some((pattern) => matches(pattern)(kind))))
    : InvalidRequest.at(
        "kinds",
        `has no kind ${unknown}; use kinds such as issue.created or issue.*`,
      );
};

/** A subscriber that has seen everything. */
interface Waiter {
  /** Whether it may be about the event; the query has the last word. */
  readonly wants: (event: NewEvent) => boolean;
  readonly bell: Deferred.Deferred<void>;
}

const wants =
  ({ kinds, projects }: EventQuery, projectId: string | undefined): Waiter["wants"] =>
  (event) =>
    (kinds === null || kinds.includes(event.kind)) &&
    (projects === null || (event.projectId !== null && projects.includes(event.projectId))) &&
    (projectId === undefined || event.projectId === projectId);

/** What happened, durably. Events are written in the transaction of the change they tell of. */
export class EventLog extends Context.Service<
  EventLog,
  {
    /** Records events in the transaction around it; subscribers are told after the commit. */
    record(events: ReadonlyArray<NewEvent>): Effect.Effect<void, StorageError>;
    /**
     * Events from now on, or from the one after `afterId` (`InvalidRequest` if that is not kept),
     * that the principal may see and that the filter lets through. The stream never ends by itself.
     * The subscription stands when the effect returns. A stream that failed goes on, when it is
     * run again, from where it was.
     */
    subscribe(options?: {
      readonly afterId?: string | undefined;
      readonly filter?: EventFilter | undefined;
    }): Effect.Effect<
      Stream.Stream<Event, StorageError>,
      InvalidRequest | StorageError,
      CurrentPrincipal
    >;
    /** Removes events that are older than they are to be kept, and answers how many. */
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
      const waiting = new Set<Waiter>();
      /** Wakes who waits for one of the events; everybody if they are not known. */
      const ring = (events?: ReadonlyArray<NewEvent>) =>
        Effect.sync(() => {
          // Who is woken may wait again at once: that is for the next time.
          const woken = [...waiting].filter(
            (waiter) => events === undefined || events.some(waiter.wants),
          );
          for (const waiter of woken) {
            waiting.delete(waiter);
            Deferred.doneUnsafe(waiter.bell, Exit.void);
          }
        });

      const record = Effect.fnUntraced(function* (events: ReadonlyArray<NewEvent>) {
        if (events.length === 0) return;
        const now = yield* Timestamp.now;
        const rows = yield* Effect.forEach(events, (event) =>
          Effect.map(event.id === undefined ? newId("evt") : Effect.succeed(event.id), (id) => ({
            ...event,
            id,
            createdAt: event.createdAt ?? now,
          })),
        );
        yield* store.append(rows);
        yield* transactor.afterCommit(ring(events));
      });

      // Other nodes cannot ring this one's bells, so the table is looked at as well. Those that were
      // not woken for what they do not want catch up with it here, twice a second at most.
      let seen = yield* store.lastSeq;
      yield* Effect.gen(function* () {
        const last = yield* store.lastSeq;
        if (last !== seen) yield* ring();
        seen = last;
      }).pipe(
        Effect.catch((error) => Effect.logWarning("Cannot look for new events", error)),
        Effect.repeat(Schedule.spaced("500 millis")),
        Effect.forkScoped,
      );

      /** What is there beyond `after`; if nothing is, nothing, once the bell rings. */
      const read = Effect.fnUntraced(function* (
        query: EventQuery,
        projectId: string | undefined,
        after: number,
        bell: Deferred.Deferred<void>,
      ) {
        const until = yield* store.lastSeq;
        if (until <= after) {
          yield* Deferred.await(bell);
          return [[], Option.some(after)] as const;
        }
        const rows = yield* store.list(query, { after, until, limit: batch });
        const last = rows.at(-1);
        const next = rows.length === batch && last !== undefined ? last.seq : until;
        // The query is about what may be seen; an event's other project may lie outside the filter.
        const events = rows
          .filter((row) => projectId === undefined || row.projectId === projectId)
          .map(toEvent);
        return [events, Option.some(next)] as const;
      });

      const follow = (query: EventQuery, projectId: string | undefined, from: number) => {
        let reached = from;
        return Stream.suspend(() =>
          Stream.paginate(reached, (after) =>
            Effect.suspend(() => {
              reached = after;
              // It waits before it looks: what is written in between rings.
              const waiter = { wants: wants(query, projectId), bell: Deferred.makeUnsafe<void>() };
              waiting.add(waiter);
              return Effect.ensuring(
                read(query, projectId, after, waiter.bell),
                Effect.sync(() => waiting.delete(waiter)),
              );
            }),
          ),
        );
      };

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
        if (afterId === undefined) return follow(query, projectId, yield* store.lastSeq);
        const seq = yield* store.seqOf(afterId);
        if (Option.isNone(seq)) {
          return yield* InvalidRequest.at(
            "Last-Event-ID",
            "is unknown or older than what is kept; begin again without it",
          );
        }
        return follow(query, projectId, seq.value);
      });

      const prune = Effect.gen(function* () {
        const now = yield* Timestamp.now;
        return yield* store.prune(Timestamp.addSeconds(now, -options.eventDays * 86_400), 5_000);
      });

      return EventLog.of({ record, subscribe, prune });
    }),
  );
}

const toEvent = (row: EventRow): Event => ({
  id: row.id,
  kind: row.kind,
  projectId: row.projectId,
  subjectId: row.subjectId,
  actor: row.actor,
  data: row.data,
  createdAt: row.createdAt,
});
