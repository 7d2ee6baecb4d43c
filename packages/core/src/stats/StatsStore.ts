import { Context, type Effect } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Timestamp } from "../Timestamp.ts";

/** The sources of rows. */
export type StatsSource = "events" | "toolCalls";

/** The counts of an hour or a day. */
export interface StatsRow {
  readonly bucket: "hour" | "day";
  /** `events` of issues and runs, `stays` of issues in a status by their length, or `calls` of a server. */
  readonly kind: "events" | "stays" | "calls";
  /** The project or the server; empty for all projects together. */
  readonly id: string;
  /** The start of the hour or day, in UTC. */
  readonly at: Timestamp;
  /** The counts by name. A missing name counts as 0. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Rows with these ids that start at `from` or later and before `to`. */
export interface StatsQuery extends Pick<StatsRow, "bucket" | "kind"> {
  readonly ids: ReadonlyArray<string>;
  readonly from: Timestamp;
  readonly to: Timestamp;
}

/** The end of an issue's stay in a status. */
export interface StayEnd {
  readonly issueId: string;
  readonly endedAt: Timestamp;
}

/** Port: counts by hour and by day, and the position up to which they are counted. */
export class StatsStore extends Context.Service<
  StatsStore,
  {
    /** The `seq` of the last event or tool call that the rows contain; 0 at first. */
    cursor(source: StatsSource): Effect.Effect<number, StorageError>;
    /** Returns the matching rows, in any order. */
    list(query: StatsQuery): Effect.Effect<ReadonlyArray<StatsRow>, StorageError>;
    /** Stores the cursor and rows. A row replaces the row of the same bucket, kind, id and time. */
    put(
      source: StatsSource,
      cursor: number,
      rows: ReadonlyArray<StatsRow>,
    ): Effect.Effect<void, StorageError>;
    /**
     * For each end: the timestamp of the issue's newest `created` or `statusChanged` entry before
     * `endedAt`, from its timeline; null without one.
     */
    staysSince(
      ends: ReadonlyArray<StayEnd>,
    ): Effect.Effect<ReadonlyArray<Timestamp | null>, StorageError>;
    /** Removes at most `limit` rows that start before `before`, and returns how many. */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/stats/StatsStore") {}
