import { Effect, Option } from "effect";
import type { StorageError } from "../../CommonErrors.ts";
import { LimitExceeded } from "../../CommonErrors.ts";
import type * as Timestamp from "../../Timestamp.ts";
import { LogGap } from "../RunErrors.ts";
import { defaultWriter, type LogEntries, type LogStream, maxWriters } from "../RunLog.ts";
import { type LogLine, RunLogStore, type RunLogRow, type LogWriter } from "../RunLogStore.ts";
import * as LogScrubber from "./LogScrubber.ts";

/** The maximum size of a run's log. Beyond it, entries after the first mebibyte are dropped. */
const maxRunBytes = 16 * 1024 * 1024;
const openingBytes = 1024 * 1024;
/** The bytes that are removed at a time. */
const trimBytes = 1024 * 1024;

const encoder = new TextEncoder();

/** The size of a text. */
export const sizeOf = (text: string): number => encoder.encode(text).length;

/** The size of texts as lines. */
const bytesOf = (lines: ReadonlyArray<LogLine>): number =>
  lines.reduce((sum, [, , text]) => sum + sizeOf(text) + (text.endsWith("\n") ? 0 : 1), 0);

type Entry = LogEntries["entries"][number];

/** Reads and changes entries that a writer stored before. */
const storedEntries = (store: RunLogStore["Service"]) => {
  /** Whether stored entries of the writer have other texts than the repeated ones. */
  const differs = Effect.fnUntraced(function* (
    runId: string,
    writer: string,
    from: number,
    repeated: ReadonlyArray<Entry>,
  ): Effect.fn.Return<boolean, StorageError> {
    let before = from + repeated.length;
    while (before > from) {
      const chunk = Option.getOrNull(yield* store.before(runId, writer, before));
      if (chunk === null) return false;
      for (const [index, [, stream, text, isScrubbed]] of chunk.lines.entries()) {
        const entry = repeated[chunk.number + index - from];
        if (entry === undefined) continue;
        // A text with a secret is no longer known.
        if (entry.stream !== stream || (!isScrubbed && entry.text !== text)) return true;
      }
      before = chunk.number;
    }
    return false;
  });

  /** Cuts the last `count` characters of a stored stream, and returns by how much the log shrank. */
  const cut = Effect.fnUntraced(function* (
    runId: string,
    writer: string,
    stream: LogStream,
    count: number,
  ): Effect.fn.Return<number, StorageError> {
    let left = count;
    let saved = 0;
    let before = Number.MAX_SAFE_INTEGER;
    while (left > 0) {
      const chunk = Option.getOrNull(yield* store.before(runId, writer, before));
      if (chunk === null) return saved;
      const lines = [...chunk.lines];
      for (let index = lines.length - 1; index >= 0 && left > 0; index--) {
        const line = lines[index];
        if (line === undefined || line[1] !== stream) continue;
        const [at, , text] = line;
        const removed = Math.min(left, text.length);
        left -= removed;
        const rest = text.slice(0, text.length - removed);
        lines[index] = [at, stream, left === 0 ? rest + LogScrubber.marker : rest, true];
      }
      const bytes = bytesOf(lines);
      yield* store.rewrite({ ...chunk, lines, bytes });
      saved += chunk.bytes - bytes;
      before = chunk.number;
    }
    return saved;
  });

  return { cut, differs };
};

/** Writes to the log of a run, inside the caller's transaction. */
export const make = Effect.gen(function* () {
  const store = yield* RunLogStore;
  const { cut, differs } = storedEntries(store);

  /** Stores new entries of a writer, which are not empty, and returns the new state of the log. */
  const add = Effect.fnUntraced(function* (
    log: RunLogRow,
    writer: string,
    { next, tails }: LogWriter,
    fresh: ReadonlyArray<Entry>,
    forms: ReadonlyArray<string>,
    now: Timestamp.Timestamp,
  ): Effect.fn.Return<RunLogRow, StorageError> {
    const { runId } = log;
    const scrubbed = LogScrubber.scrub(fresh, tails, forms);
    let { bytes, dropped } = log;
    for (const stream of ["stdout", "stderr", "host"] as const) {
      bytes -= yield* cut(runId, writer, stream, scrubbed.cuts[stream] ?? 0);
    }
    const lines = scrubbed.entries.map(({ at, isScrubbed, stream, text }): LogLine =>
      isScrubbed ? [at ?? now, stream, text, true] : [at ?? now, stream, text],
    );
    const last = log.entries + lines.length;
    const added = bytesOf(lines);
    const opening = bytes < openingBytes ? last : log.opening;
    yield* store.append({
      runId,
      writer,
      first: log.entries + 1,
      last,
      number: next,
      bytes: added,
      lines,
    });
    bytes += added;
    dropped += scrubbed.dropped;
    if (bytes > maxRunBytes) {
      const removed = yield* store.trim(runId, opening, bytes - maxRunBytes + trimBytes);
      bytes -= removed.bytes;
      dropped += removed.entries;
    }
    return {
      ...log,
      entries: last,
      bytes,
      dropped,
      opening,
      writers: {
        ...log.writers,
        [writer]: { next: next + fresh.length, tails: scrubbed.tails },
      },
      updatedAt: now,
    };
  });

  const append = Effect.fnUntraced(function* (
    run: { readonly id: string; readonly issueId: string },
    body: LogEntries,
    forms: ReadonlyArray<string>,
    now: Timestamp.Timestamp,
  ) {
    const name = body.writer ?? defaultWriter;
    const log = Option.getOrElse(yield* store.get(run.id), () => empty(run, now));
    const known = Object.hasOwn(log.writers, name) ? log.writers[name] : undefined;
    if (known === undefined && Object.keys(log.writers).length >= maxWriters) {
      return yield* new LimitExceeded({ limit: maxWriters });
    }
    const writer = known ?? { next: Math.min(body.from, 1), tails: {} };
    const entries = body.entries.map((entry) => ({ ...entry, text: entry.text.toWellFormed() }));
    const repeated = entries.slice(0, Math.max(0, writer.next - body.from));
    const isGap = body.from > writer.next;
    if (isGap || (yield* differs(run.id, name, body.from, repeated))) {
      return yield* new LogGap({ next: writer.next });
    }
    const fresh = entries.slice(repeated.length);
    if (fresh.length === 0) {
      return { next: writer.next, bytes: log.bytes, dropped: log.dropped, added: 0 };
    }
    const row = yield* add(log, name, writer, fresh, forms, now);
    yield* store.put(row);
    const { bytes, dropped } = row;
    return { next: writer.next + fresh.length, bytes, dropped, added: fresh.length };
  });

  /** Drops all entries of a log. Its writers continue. */
  const clear = Effect.fnUntraced(function* (runId: string) {
    const log = Option.getOrNull(yield* store.get(runId));
    if (log === null) return;
    const { entries } = yield* store.trim(runId, 0, Number.MAX_SAFE_INTEGER);
    yield* store.put({ ...log, bytes: 0, dropped: log.dropped + entries });
  });

  return { append, clear };
});

const empty = (
  run: { readonly id: string; readonly issueId: string },
  now: Timestamp.Timestamp,
): RunLogRow => ({
  runId: run.id,
  issueId: run.issueId,
  entries: 0,
  bytes: 0,
  dropped: 0,
  opening: 0,
  writers: {},
  updatedAt: now,
});
