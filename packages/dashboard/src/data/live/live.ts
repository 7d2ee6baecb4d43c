import type { Client, Event } from "@quartermaster/client";
import { type Watched, watched } from "../../parts/watched.ts";

/**
 * The event stream of the browser. One tab holds a lock, reads the stream and broadcasts it. When that tab
 * closes, another tab resumes after the last event. Without the Web Locks API (plain HTTP on another host)
 * every tab reads its own stream.
 *
 * States of the connection:
 *
 * - `connecting`: the server has not responded since the page opened;
 * - `live`: the stream is open;
 * - `lost`: the stream has closed or could not be opened. The client retries until it opens.
 */
export type Connection =
  | { readonly state: "connecting" | "live" }
  | { readonly state: "lost"; readonly since: number };

type Message =
  | { readonly type: "events"; readonly events: ReadonlyArray<Event> }
  | { readonly type: "connection"; readonly connection: Connection }
  | { readonly type: "gap" }
  | { readonly type: "hello" };

export interface EventStream {
  readonly connection: Watched<Connection>;
  /** Starts the stream. Later calls do nothing. */
  readonly start: () => void;
  /** Calls back once per animation frame, with the events of that frame. */
  readonly onEvents: (read: (events: ReadonlyArray<Event>) => void) => () => void;
  /** Calls back when the stream opens for the first time: it has no events from before. */
  readonly onOpen: (read: () => void) => () => void;
  /** Calls back when events can no longer be recovered, so that all data have to be read again. */
  readonly onGap: (read: () => void) => () => void;
}

interface Listeners<A> {
  readonly call: (input: A) => void;
  readonly add: (listener: (input: A) => void) => () => void;
}

const listenersOf = <A>(): Listeners<A> => {
  const listeners = new Set<(input: A) => void>();
  return {
    call: (input) => {
      for (const listener of listeners) listener(input);
    },
    add: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Batches events per animation frame. A hidden tab has no frames, so it flushes after 250 ms. */
const byFrame = (flush: (events: ReadonlyArray<Event>) => void) => {
  let pending: Array<Event> = [];
  const flushAll = () => {
    const events = pending;
    pending = [];
    if (events.length > 0) flush(events);
  };
  return (events: ReadonlyArray<Event>) => {
    if (pending.length === 0) {
      if (document.hidden) setTimeout(flushAll, 250);
      else requestAnimationFrame(flushAll);
    }
    pending.push(...events);
  };
};

/**
 * Makes the event stream. `observed` makes a client that reports its requests; tabs with the same `name`
 * share one connection.
 */
export const makeEventStream = (
  name: string,
  observed: (observe: (sent: Promise<Response>) => void) => Client,
): EventStream => {
  const connection = watched<Connection>({ state: "connecting" });
  const readers = listenersOf<ReadonlyArray<Event>>();
  const openings = listenersOf<void>();
  const gaps = listenersOf<void>();
  const channel = new BroadcastChannel(name);
  let lastEventId: string | undefined;
  let isLeader = false;
  let isStarted = false;

  const post = (message: Message) => channel.postMessage(message);
  const setConnection = (next: Connection) => {
    if (next.state === connection.current().state) return;
    connection.set(next);
    if (isLeader) post({ type: "connection", connection: next });
  };
  const deliver = byFrame((events) => {
    if (isLeader) post({ type: "events", events });
    readers.call(events);
  });
  const receive = (events: ReadonlyArray<Event>) => {
    lastEventId = events.findLast(({ kind }) => kind !== "run.logged")?.id ?? lastEventId;
    deliver(events);
  };
  /** Reports lost events to this tab and, from the leader, to the others. */
  const missed = () => {
    if (isLeader) post({ type: "gap" });
    gaps.call();
  };

  /** Reads the stream until it cannot be resumed. */
  const follow = async () => {
    const client = observed((sent) => {
      const lost: Connection = { state: "lost", since: Date.now() };
      if (connection.current().state === "live") setConnection(lost);
      sent.then(
        ({ ok }) => {
          if (!ok) return;
          const isFirst = connection.current().state === "connecting";
          // Without a last event id the stream cannot resume: the events since the loss are missing.
          const isGap = connection.current().state === "lost" && lastEventId === undefined;
          setConnection({ state: "live" });
          if (isFirst) openings.call();
          if (isGap) missed();
        },
        () => {
          if (connection.current().state === "connecting") {
            setConnection({ state: "lost", since: Date.now() });
          }
        },
      );
    });
    const stream = await client.events.subscribe({}, { lastEventId });
    for await (const event of stream) receive([event]);
  };
  const lead = async (): Promise<never> => {
    isLeader = true;
    for (let wait = 1_000; ; wait = Math.min(wait * 2, 30_000)) {
      await follow().catch(() => {});
      // The server no longer stores the last event. The next connection starts at the present and reports a
      // gap.
      lastEventId = undefined;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  };
  const onMessage = (message: Message) => {
    if (message.type === "hello") {
      if (isLeader) post({ type: "connection", connection: connection.current() });
    } else if (isLeader) {
      // The leader already has these events.
    } else if (message.type === "events") {
      receive(message.events);
    } else if (message.type === "gap") {
      missed();
    } else {
      setConnection(message.connection);
    }
  };

  return {
    connection,
    start: () => {
      if (isStarted) return;
      isStarted = true;
      channel.addEventListener("message", ({ data }: MessageEvent<Message>) => onMessage(data));
      post({ type: "hello" });
      if ("locks" in navigator) void navigator.locks.request(name, lead);
      else void lead();
    },
    onEvents: readers.add,
    onOpen: openings.add,
    onGap: gaps.add,
  };
};
