/**
 * A stream of live events. After a lost connection it resumes after the last returned event; if
 * there is none yet, it continues with the next new event. It ends when the signal aborts or the
 * caller leaves the loop.
 */
export type EventStream<Event> = AsyncIterableIterator<Event, void, void>;
