import type { Event } from "../contract/Schemas.ts";
import type { EventStream } from "../Events.ts";
import type { FetchResponse } from "../Fetch.ts";
import { Problem, Unreachable } from "../Problem.ts";
import { chunks } from "./Form.ts";
import { now, sleep } from "./Platform.ts";

/**
 * Milliseconds of silence after which a connection counts as lost. The server sends a comment every
 * 15 seconds.
 */
const silence = 45_000;
/** The wait before a reconnect, in milliseconds. It doubles from the shortest to the longest. */
const shortestWait = 250;
const longestWait = 10_000;

const parse = (block: string): Event | undefined => {
  const data = block
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trimStart());
  return data.length === 0 ? undefined : JSON.parse(data.join("\n"));
};

/** The events of one connection. */
async function* eventsOf(response: FetchResponse, heard: () => void): AsyncGenerator<Event> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks(response.body)) {
    heard();
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parse(block);
      if (event !== undefined) yield event;
    }
  }
}

const isAway = (error: unknown) =>
  error instanceof Unreachable ||
  (error instanceof Problem && (error.status === 429 || error.status >= 500));

/**
 * Opens a stream. `connect` sends one request. The promise resolves after the first connection, so
 * that later events are not missed.
 */
export const openEvents = async (
  connect: (lastEventId: string | undefined, signal: AbortSignal) => Promise<FetchResponse>,
  options: { readonly lastEventId?: string | undefined; readonly signal?: AbortSignal | undefined },
): Promise<EventStream<Event>> => {
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  let lastEventId = options.lastEventId;

  /** Opens a connection and closes it when it is silent for too long. */
  const open = async () => {
    const quiet = new AbortController();
    const response = await connect(lastEventId, AbortSignal.any([signal, quiet.signal]));
    const done = new AbortController();
    let heardAt = now();
    const watch = async () => {
      while (!done.signal.aborted && !signal.aborted) {
        const rest = heardAt + silence - now();
        if (rest <= 0) return quiet.abort(new Error("The server was silent."));
        await sleep(rest, AbortSignal.any([done.signal, signal]));
      }
    };
    void watch();
    return {
      events: eventsOf(response, () => (heardAt = now())),
      close: () => done.abort(),
    };
  };

  const reopen = async () => {
    for (let wait = shortestWait; ; wait = Math.min(longestWait, wait * 2)) {
      try {
        return await open();
      } catch (error) {
        if (signal.aborted || !isAway(error)) throw error;
        const asked = error instanceof Problem ? (error.retryAfter ?? 0) * 1_000 : 0;
        await sleep(Math.max(wait, asked), signal);
      }
    }
  };

  async function* read(first: Awaited<ReturnType<typeof open>>) {
    let connection = first;
    while (!signal.aborted) {
      try {
        for await (const event of connection.events) {
          // An event that is not stored.
          if (event.kind !== "run.logged") lastEventId = event.id;
          yield event;
        }
      } catch {
        // A broken connection is handled like a closed one.
      } finally {
        connection.close();
      }
      await sleep(shortestWait, signal);
      if (!signal.aborted) connection = await reopen();
    }
  }

  const events = read(await open());
  const stream: EventStream<Event> = {
    next: async () => {
      try {
        return await events.next();
      } catch (error) {
        if (signal.aborted) return { done: true, value: undefined };
        throw error;
      }
    },
    return: async () => {
      left.abort();
      await events.return(undefined);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => stream,
  };
  return stream;
};
