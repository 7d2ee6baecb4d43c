/**
 * Events as they happen. After a lost connection it resumes after the last event that it returned;
 * before the first event, it starts again with the next one. It ends when the signal aborts, or when
 * the loop over it is left.
 */
export type EventStream<Event> = AsyncIterableIterator<Event, void, void>;
