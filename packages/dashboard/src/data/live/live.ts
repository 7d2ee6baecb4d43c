import type { Event } from "@quartermaster/client";
import { useSyncExternalStore } from "react";
import { base, observed } from "./client.ts";

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

let connection: Connection = { state: "connecting" };
let lastEventId: string | undefined;
let isLeader = false;
const watchers = new Set<() => void>();
const readers = new Set<(events: ReadonlyArray<Event>) => void>();
const gaps = new Set<() => void>();
const name = `quartermaster ${base}`;
const channel = new BroadcastChannel(name);

const post = (message: Message) => channel.postMessage(message);

const setConnection = (next: Connection) => {
  if (next.state === connection.state) return;
  connection = next;
  for (const watcher of watchers) watcher();
  if (isLeader) post({ type: "connection", connection });
};

let pending: Array<Event> = [];

const flush = () => {
  const events = pending;
  pending = [];
  if (events.length === 0) return;
  if (isLeader) post({ type: "events", events });
  for (const read of readers) read(events);
};

/** Events of a frame arrive together. A hidden tab has no frames. */
const receive = (events: ReadonlyArray<Event>) => {
  lastEventId = events.at(-1)?.id ?? lastEventId;
  if (pending.length === 0) {
    if (document.hidden) setTimeout(flush, 250);
    else requestAnimationFrame(flush);
  }
  pending.push(...events);
};

/** Lets everything that every tab shows be read again. */
const missed = () => {
  if (isLeader) post({ type: "gap" });
  for (const read of gaps) read();
};

/** Follows the stream until it cannot be continued. */
const follow = async () => {
  const client = observed((sent) => {
    if (connection.state === "live") setConnection({ state: "lost", since: Date.now() });
    sent.then(
      ({ ok }) => {
        if (!ok) return;
        // Without an event to continue after, those since the loss are not in the stream.
        const isGap = connection.state === "lost" && lastEventId === undefined;
        setConnection({ state: "live" });
        if (isGap) missed();
      },
      () => {
        if (connection.state === "connecting") {
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

let isStarted = false;

/** Starts following, once. */
export const start = (): void => {
  if (isStarted) return;
  isStarted = true;
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.type === "hello") {
      if (isLeader) post({ type: "connection", connection });
    } else if (isLeader) {
      // Its own stream has everything.
    } else if (data.type === "events") {
      receive(data.events);
    } else if (data.type === "gap") {
      missed();
    } else {
      setConnection(data.connection);
    }
  });
  post({ type: "hello" });
  if ("locks" in navigator) void navigator.locks.request(name, lead);
  else void lead();
};

/** Calls back with the events of each frame. */
export const onEvents = (read: (events: ReadonlyArray<Event>) => void): (() => void) => {
  readers.add(read);
  return () => readers.delete(read);
};

/** Calls back when events were missed. */
export const onGap = (read: () => void): (() => void) => {
  gaps.add(read);
  return () => gaps.delete(read);
};

const watch = (watcher: () => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

export const useConnection = (): Connection => useSyncExternalStore(watch, () => connection);
