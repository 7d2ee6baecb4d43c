import { Clock, Deferred, Effect, Exit, Latch, Option, Schedule, type Scope, Stream } from "effect";
import type { StorageError } from "../../CommonErrors.ts";
import type { Event, EventKind, EventRow } from "../Event.ts";
import type { EventQuery, EventStore } from "../EventStore.ts";
import { type Candidate, RecentEvents, toEvent, type Wants } from "./RecentEvents.ts";

/**
 * The tail of the event table: one per node, shared by all subscribers. Only the tail asks storage for
 * new events, so a node costs the database the same with 1 and with 10,000 subscribers. With 2,000
 * subscribers of every event over SQLite, a creation takes 3 ms; it took 745 ms when each subscriber
 * asked storage.
 *
 * States of the tail:
 *
 * - idle: there are no subscribers. It reads nothing and retains nothing.
 * - following: it has read every event up to `recent.head`, and retains those after `recent.floor`.
 *
 * States of a subscriber, which has got every event up to `reached`:
 *
 * - behind (`reached < floor`): it pages through the table, a slice at a time;
 * - within (`floor <= reached < head`): it reads `recent`;
 * - waiting (`head <= reached`): the tail wakes it for an event that it wants, and otherwise only
 *   moves its `reached`, so that it does not fall behind by waiting.
 *
 * Transitions: idle → following, when the tail looks and finds a subscriber; following → idle, when
 * it looks and finds none. The tail looks after a commit of this node that a subscriber wants, when
 * the bell of storage rings, when a subscriber joins, and every 500 ms.
 *
 * Invariants: `floor <= head`; `recent` is all events in (`floor`, `head`], in the order of `seq`; a
 * subscriber gets the events that `EventStore.list` has for it, each once.
 */
export interface EventTail {
  /**
   * The `seq` after which a subscriber of new events starts. That is not always the newest in
   * storage: memory may hold events that storage has pruned, and a new subscriber must not get
   * them.
   */
  readonly now: Effect.Effect<number, StorageError>;
  /** Makes the tail look for events soon, if a subscriber wants one of these events. */
  readonly committed: (events: ReadonlyArray<Candidate>) => Effect.Effect<void>;
  /** Gives an event that is not stored to the subscribers of this node that want it. */
  readonly announce: (event: EventRow) => Effect.Effect<void>;
  /** Whether a subscriber of this node may want events of this kind. */
  readonly isWanted: (kind: EventKind) => boolean;
  /**
   * An endless stream of matching events after `from`. A stream that runs again continues at its
   * position. Fails if a page of the table cannot be read.
   */
  readonly follow: (
    query: EventQuery,
    projectId: string | undefined,
    from: number,
  ) => Stream.Stream<Event, StorageError>;
}

interface Subscriber {
  readonly query: EventQuery;
  readonly wants: Wants;
  reached: number;
  /** Wakes the subscriber; null unless it is waiting. */
  bell: Deferred.Deferred<void> | null;
  /** Events that are not stored, which the subscriber gets next. */
  announced: Array<Event>;
}

/** Events per page of a subscriber, and per read of the tail. */
const pageSize = 200;
const readSize = 1_000;
/**
 * The `seq` range of one query of a subscriber that is behind. A filter that matches nothing scans
 * 10,000 rows of SQLite in about 4 ms; other fibers run between two slices.
 */
const sliceSize = 10_000;
/**
 * The maximum number of announced events that wait for a subscriber. Beyond it, the oldest are
 * dropped.
 */
const maxAnnounced = 100;
/** Subscribers that the tail wakes before other fibers run. */
const wokenAtOnce = 100;

/** The shortest time between two looks: a burst of commits shares one. */
const pause = "10 millis";
const pollEvery = "500 millis";

const everything: EventQuery = { projects: null, kinds: null };

export const make = Effect.fnUntraced(function* (
  store: EventStore["Service"],
): Effect.fn.Return<EventTail, never, Scope.Scope> {
  const subscribers = new Set<Subscriber>();
  const recent = new RecentEvents();
  const lookSoon = Latch.makeUnsafe(false);

  /** Wakes the waiting subscribers that want one of `rows`, which are all events after `from`. */
  const wake = Effect.fnUntraced(function* (rows: ReadonlyArray<EventRow>, from: number) {
    let woken = 0;
    for (const subscriber of subscribers) {
      const { bell, reached, wants } = subscriber;
      if (bell === null || reached >= recent.head) continue;
      if (reached >= from && !rows.some(wants)) {
        subscriber.reached = recent.head;
        continue;
      }
      subscriber.bell = null;
      Deferred.doneUnsafe(bell, Exit.void);
      woken += 1;
      if (woken % wokenAtOnce === 0) yield* Effect.yieldNow;
    }
  });

  const look = Effect.gen(function* () {
    if (subscribers.size === 0) return recent.clear();
    const last = yield* store.lastSeq;
    if (recent.head === -Infinity) {
      recent.startAt(last);
      yield* wake([], last);
    }
    while (recent.head < last) {
      const from = recent.head;
      const rows = yield* store.list(everything, { after: from, until: last, limit: readSize });
      recent.append(rows, rows.length < readSize ? last : (rows.at(-1)?.seq ?? last));
      yield* wake(rows, from);
      // Yields to other fibers: another process may have stored many events, and 300,000 in a row
      // took up to 5 s.
      yield* Effect.yieldNow;
    }
  });

  yield* lookSoon.await.pipe(
    Effect.andThen(Effect.sync(() => lookSoon.closeUnsafe())),
    Effect.andThen(look),
    Effect.catch((error) => Effect.logWarning("Cannot read new events", error)),
    // Uses real time, because the clock of a test stands still.
    Effect.andThen(
      Effect.provideService(Effect.sleep(pause), Clock.Clock, Clock.Clock.defaultValue()),
    ),
    Effect.forever,
    Effect.forkScoped,
  );
  yield* Effect.suspend(() => (subscribers.size > 0 ? lookSoon.open : Effect.void)).pipe(
    Effect.repeat(Schedule.spaced(pollEvery)),
    Effect.forkScoped,
  );
  yield* Stream.runForEach(store.bell, () => lookSoon.open).pipe(
    Effect.tapError((error) => Effect.logWarning("Storage cannot report new events", error)),
    Effect.retry(Schedule.spaced("1 second")),
    Effect.forkScoped,
  );

  const join = (query: EventQuery, wants: Wants, reached: number) =>
    Effect.sync((): Subscriber => {
      const subscriber = { query, wants, reached, bell: null, announced: [] };
      subscribers.add(subscriber);
      lookSoon.openUnsafe();
      return subscriber;
    });
  const leave = (subscriber: Subscriber) =>
    Effect.sync(() => {
      subscribers.delete(subscriber);
    });

  const follow: EventTail["follow"] = (query, projectId, from) => {
    const wants = wantsOf(query, projectId);
    let position = from;
    return Stream.unwrap(
      Effect.map(
        Effect.acquireRelease(
          Effect.suspend(() => join(query, wants, position)),
          leave,
        ),
        (subscriber) =>
          Stream.paginate(undefined, () =>
            Effect.suspend(() => {
              position = subscriber.reached;
              return Effect.map(
                next(store, recent, subscriber),
                (events) => [events, Option.some(undefined)] as const,
              );
            }),
          ),
      ),
    );
  };

  const committed = (events: ReadonlyArray<Candidate>) =>
    Effect.sync(() => {
      for (const { wants } of subscribers) {
        if (!events.some(wants)) continue;
        lookSoon.openUnsafe();
        return;
      }
    });

  const announce = (row: EventRow) =>
    Effect.sync(() => {
      for (const subscriber of subscribers) {
        const { announced, bell, wants } = subscriber;
        if (!wants(row)) continue;
        announced.push(toEvent(row));
        if (announced.length > maxAnnounced) announced.shift();
        subscriber.bell = null;
        if (bell !== null) Deferred.doneUnsafe(bell, Exit.void);
      }
    });

  const isWanted = (kind: EventKind) =>
    [...subscribers].some(({ query }) => query.kinds === null || query.kinds.includes(kind));

  const now = Effect.map(store.lastSeq, (last) => Math.max(last, recent.head));

  return { announce, committed, follow, isWanted, now };
});

/** The filter of `EventStore.list`, narrowed to events of `projectId` itself. */
const wantsOf = ({ kinds, projects }: EventQuery, projectId: string | undefined): Wants => {
  const wantedKinds = kinds === null ? null : new Set<string>(kinds);
  const wantedProjects = projects === null ? null : new Set(projects);
  return (event) =>
    (wantedKinds === null || wantedKinds.has(event.kind)) &&
    (projectId === undefined || event.projectId === projectId) &&
    (wantedProjects === null ||
      (event.projectId !== null &&
        wantedProjects.has(event.projectId) &&
        (event.relatedProjectId === null || wantedProjects.has(event.relatedProjectId))));
};

/** The subscriber's next events; null after it waited, and after a slice without matches. */
const next = (
  store: EventStore["Service"],
  recent: RecentEvents,
  subscriber: Subscriber,
): Effect.Effect<ReadonlyArray<Event>, StorageError> => {
  if (subscriber.announced.length > 0) return Effect.succeed(subscriber.announced.splice(0));
  if (subscriber.reached >= recent.head) {
    const bell = Deferred.makeUnsafe<void>();
    subscriber.bell = bell;
    return Effect.as(Deferred.await(bell), []);
  }
  if (subscriber.reached < recent.floor) return readTable(store, recent.head, subscriber);
  const { events, reached } = recent.read(subscriber.reached, subscriber.wants, pageSize);
  subscriber.reached = reached;
  return Effect.succeed(events);
};

const readTable = Effect.fnUntraced(function* (
  store: EventStore["Service"],
  head: number,
  subscriber: Subscriber,
) {
  const { query, reached, wants } = subscriber;
  const until = Math.min(head, reached + sliceSize);
  const rows = yield* store.list(query, { after: reached, until, limit: pageSize });
  subscriber.reached = rows.length < pageSize ? until : (rows.at(-1)?.seq ?? until);
  yield* Effect.yieldNow;
  return rows.filter(wants).map(toEvent);
});
