import { Context, type Effect } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Timestamp } from "../Timestamp.ts";

/** What rows are counted from. */
export type StatsSource = "events" | "toolCalls";

/** What happened in an hour or a day. */
export interface StatsRow {
  readonly bucket: "hour" | "day";
  /** `events` of issues and runs, `stays` of issues in a status by their length, or `calls` of a server. */
  readonly kind: "events" | "stays" | "calls";
  /** The project or the server; empty for all projects together. */
  readonly id: string;
  /** When the hour or the day starts, in UTC. */
  readonly at: Timestamp;
  /** How often, by what. A name that is missing counts as 0. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Rows of those ids that start at `from` or later and before `to`. */
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

/** Port: what happened, counted by hour and by day, and how far it is counted. */
export class StatsStore extends Context.Service<
  StatsStore,
  {
    /** The `seq` of the last event or tool call that the rows contain; 0 at first. */
    cursor(source: StatsSource): Effect.Effect<number, StorageError>;
    /** Returns the rows that match, in any order. */
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
