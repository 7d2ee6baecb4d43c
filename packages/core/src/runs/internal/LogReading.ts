import { Effect, Option, Stream } from "effect";
import type { StorageError } from "../../CommonErrors.ts";
import type { LogEntry, LogQuery } from "../RunLog.ts";
import { type LogChunk, RunLogStore } from "../RunLogStore.ts";

/** Chunks per read, and the size after which a page ends. Other fibers run between two reads. */
const chunksAtOnce = 16;
const pageBytes = 2 * 1024 * 1024;

const entriesOf = (
  { first, lines, writer }: LogChunk,
  { after = 0, stream }: LogQuery,
): ReadonlyArray<LogEntry> =>
  lines.flatMap(([at, of, text], index) => {
    const n = first + index;
    return n > after && (stream === undefined || stream === of)
      ? [{ n, at, writer, stream: of, text }]
      : [];
  });

/** Reads logs. */
export const make = Effect.gen(function* () {
  const store = yield* RunLogStore;

  const page = Effect.fnUntraced(function* (runId: string, { tail, ...asked }: LogQuery) {
    const log = Option.getOrNull(yield* store.get(runId));
    const after = Math.max(asked.after ?? 0, tail === undefined ? 0 : (log?.entries ?? 0) - tail);
    const query = { ...asked, after };
    const { limit = 1_000, writer } = query;
    const entries: Array<LogEntry> = [];
    const dropped = log?.dropped ?? 0;
    let next = after;
    let bytes = 0;
    while (next < (log?.entries ?? 0)) {
      const chunks = yield* store.list(runId, next, chunksAtOnce);
      for (const chunk of chunks) {
        const found =
          writer === undefined || writer === chunk.writer ? entriesOf(chunk, query) : [];
        entries.push(...found.slice(0, limit - entries.length));
        const last = entries.at(-1)?.n ?? next;
        if (entries.length === limit) return { entries, next: last, dropped };
        next = chunk.last;
        if (found.length > 0) bytes += chunk.bytes;
        if (bytes >= pageBytes) return { entries, next, dropped };
      }
      if (chunks.length < chunksAtOnce) break;
      yield* Effect.yieldNow;
    }
    return { entries, next: Math.max(next, log?.entries ?? 0), dropped };
  });

  /** The log as text. A line marks each place where entries were dropped. */
  const text = (runId: string, query: LogQuery): Stream.Stream<string, StorageError> =>
    Stream.paginate(query.after ?? 0, (after) =>
      Effect.map(page(runId, { ...query, after, limit: 5_000 }), ({ entries, next }) =>
        entries.length === 0
          ? [[], Option.none<number>()]
          : [[textOf(entries, isWhole(query) ? after : null)], Option.some(next)],
      ),
    );

  return { page, text };
});

const isWhole = ({ stream, writer }: LogQuery) => stream === undefined && writer === undefined;

/** Entries as lines. `after` is the number of the entry before them; null if it is not known. */
const textOf = (entries: ReadonlyArray<LogEntry>, after: number | null): string => {
  let text = "";
  let previous = after;
  for (const entry of entries) {
    const missing = previous === null ? 0 : entry.n - previous - 1;
    if (missing > 0) text += `[${missing} entries were dropped]\n`;
    text += entry.text.endsWith("\n") ? entry.text : `${entry.text}\n`;
    previous = previous === null ? null : entry.n;
  }
  return text;
};
