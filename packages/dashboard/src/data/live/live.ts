import type { Client, Event } from "@quartermaster/client";
import { type Watched, watched } from "../../parts/watched.ts";

/**
 * The event stream of the browser. One tab holds the lock, reads the stream and broadcasts it; when that tab
 * closes, another one continues after the last event. Without locks (plain HTTP on another host) every tab
 * reads a stream of its own.
 *
 * States of the connection:
 *
 * - `connecting`: no response yet since the page was opened;
 * - `live`: the stream is open;
 * - `lost`: since then, the stream is not open. The client tries again until it is.
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
  /** Starts following, once. */
  readonly start: () => void;
  /** Calls back with the events of each frame. */
  readonly onEvents: (read: (events: ReadonlyArray<Event>) => void) => () => void;
  /** Calls back when events were missed. */
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

/** Events of a frame arrive together. A hidden tab has no frames. */
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

/** Reads the stream with a client whose requests a function sees. Tabs with the same name share one stream. */
export const makeEventStream = (
  name: string,
  observed: (observe: (sent: Promise<Response>) => void) => Client,
): EventStream => {
  const connection = watched<Connection>({ state: "connecting" });
  const readers = listenersOf<ReadonlyArray<Event>>();
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
    lastEventId = events.at(-1)?.id ?? lastEventId;
    deliver(events);
  };
  /** Lets everything that every tab shows be read again. */
  const missed = () => {
    if (isLeader) post({ type: "gap" });
    gaps.call();
  };

  /** Follows the stream until it cannot be continued. */
  const follow = async () => {
    const client = observed((sent) => {
      const lost: Connection = { state: "lost", since: Date.now() };
      if (connection.current().state === "live") setConnection(lost);
      sent.then(
        ({ ok }) => {
          if (!ok) return;
          // Without an event to continue after, those since the loss are not in the stream.
          const isGap = connection.current().state === "lost" && lastEventId === undefined;
          setConnection({ state: "live" });
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
      // The server no longer has the last event: the next stream starts now, and what was missed is read again.
      lastEventId = undefined;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  };
  const onMessage = (message: Message) => {
    if (message.type === "hello") {
      if (isLeader) post({ type: "connection", connection: connection.current() });
    } else if (isLeader) {
      // Its own stream has everything.
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
    onGap: gaps.add,
  };
};
