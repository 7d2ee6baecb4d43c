import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { LogStream } from "./RunLog.ts";

/** A stored entry. The last member is true if a secret was removed from its text. */
export type LogLine = readonly [at: Timestamp, stream: LogStream, text: string, isScrubbed?: true];

/** The state of a writer. */
export interface LogWriter {
  /** The number of its next entry. */
  readonly next: number;
  /** The end of each stream that may be the start of a secret. */
  readonly tails: Readonly<Partial<Record<LogStream, string>>>;
}

/** The state of a run's log. */
export interface RunLogRow {
  readonly runId: string;
  readonly issueId: string;
  /** The number of the newest entry in the run; 0 without entries. */
  readonly entries: number;
  /** The size of the stored entries as text. */
  readonly bytes: number;
  readonly dropped: number;
  /** The last entry of the part that the limit of a run does not drop. */
  readonly opening: number;
  readonly writers: Readonly<Record<string, LogWriter>>;
  readonly updatedAt: Timestamp;
}

/** Consecutive entries of one writer. The storage assigns `seq`, the order of storing over all runs. */
export interface LogChunk {
  readonly seq: number;
  readonly runId: string;
  readonly writer: string;
  /** The number of the first entry in the run, and of the last. */
  readonly first: number;
  readonly last: number;
  /** The writer's number of the first entry. */
  readonly number: number;
  readonly bytes: number;
  readonly lines: ReadonlyArray<LogLine>;
}

/** A note of an agent on its run. */
export interface NoteRow {
  readonly runId: string;
  readonly issueId: string;
  readonly note: string;
  readonly at: Timestamp;
}

/** A turn that had a note or returned comments. */
export interface TurnRow {
  readonly runId: string;
  readonly issueId: string;
  /** The returned comments. */
  readonly commentIds: ReadonlyArray<string>;
  readonly at: Timestamp;
}

/**
 * Port: stores the logs of runs, and the notes and turns of their agents. `IssueStore.remove` also removes the
 * logs, notes and turns of the issue's runs, and `RunStore.prune` the notes and turns of the runs that it removes.
 */
export class RunLogStore extends Context.Service<
  RunLogStore,
  {
    /** Returns the state of a run's log, if it has one. */
    get(runId: string): Effect.Effect<Option.Option<RunLogRow>, StorageError>;
    /** Stores the state of a run's log, or replaces it. */
    put(row: RunLogRow): Effect.Effect<void, StorageError>;
    append(chunk: Omit<LogChunk, "seq">): Effect.Effect<void, StorageError>;
    /** Replaces the lines of the chunk with the same `seq`, and their size. */
    rewrite(chunk: LogChunk): Effect.Effect<void, StorageError>;
    /** Returns at most `limit` chunks with entries after `after`, oldest first. */
    list(
      runId: string,
      after: number,
      limit: number,
    ): Effect.Effect<ReadonlyArray<LogChunk>, StorageError>;
    /** Returns the writer's newest chunk that starts before its entry `number`. */
    before(
      runId: string,
      writer: string,
      number: number,
    ): Effect.Effect<Option.Option<LogChunk>, StorageError>;
    /**
     * Removes the oldest chunks that start after entry `after`, as few as have `bytes` bytes together,
     * and returns what was removed.
     */
    trim(
      runId: string,
      after: number,
      bytes: number,
    ): Effect.Effect<{ readonly bytes: number; readonly entries: number }, StorageError>;
    /** The `seq` of the newest chunk; 0 without chunks. */
    readonly lastSeq: Effect.Effect<number, StorageError>;
    /** Returns the runs with chunks after `seq`. */
    changedAfter(seq: number): Effect.Effect<ReadonlyArray<string>, StorageError>;
    /** Returns the bytes of the runs' logs; a run without a log is missing. */
    bytesOf(
      runIds: ReadonlyArray<string>,
    ): Effect.Effect<ReadonlyMap<string, number>, StorageError>;
    /** Stores a note. A run retains its newest 1,000. */
    addNote(note: NoteRow): Effect.Effect<void, StorageError>;
    /** Returns the notes of a run, oldest first. */
    notes(runId: string): Effect.Effect<ReadonlyArray<NoteRow>, StorageError>;
    /** Stores a turn. A run retains its newest 1,000. */
    addTurn(turn: TurnRow): Effect.Effect<void, StorageError>;
    /** Returns the turns of a run, oldest first. */
    turns(runId: string): Effect.Effect<ReadonlyArray<TurnRow>, StorageError>;
    /** The bytes of all logs. */
    readonly totalBytes: Effect.Effect<number, StorageError>;
    /**
     * Returns at most `limit` runs whose logs have bytes: the run that ended first comes first, and runs
     * that have not ended come last.
     */
    endedFirst(limit: number): Effect.Effect<ReadonlyArray<string>, StorageError>;
    /**
     * Removes at most `limit` logs of runs that ended before `before` or do not exist, and returns how
     * many.
     */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/runs/RunLogStore") {}
