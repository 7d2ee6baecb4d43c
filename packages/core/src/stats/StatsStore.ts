import { Context, type Effect } from "effect";
import type { RunRow } from "../agents/Run.ts";
import type { StorageError } from "../CommonErrors.ts";
import type { IssueStatus } from "../issues/Issue.ts";
import type { Timestamp } from "../Timestamp.ts";

/** The sources of rows. */
export type StatsSource = "events" | "toolCalls";

/** The counts of an hour or a day. */
export interface StatsRow {
  readonly bucket: "hour" | "day";
  /**
   * `events` of issues and runs, `stays` of issues in a status by their length, `agents` for runs of an
   * agent, or `calls` of a server.
   */
  readonly kind: "events" | "stays" | "agents" | "calls";
  /**
   * The project or the server; for `agents` the project and the agent as a list in JSON. The project is
   * empty for all projects together.
   */
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

/** The time since which an issue has been in a status. */
export interface StaySince {
  readonly issueId: string;
  readonly since: Timestamp;
}

/** Issues of a status. */
export interface StayingQuery {
  /** Null for all projects. */
  readonly projects: ReadonlyArray<string> | null;
  readonly status: IssueStatus;
  /** The share of the issues to read, above 0 and up to 1. */
  readonly share: number;
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
    /**
     * For each stay in PendingReview: the id of the run whose hand-in started it, from the issue's
     * timeline; null if no run started it.
     */
    handIns(
      stays: ReadonlyArray<StaySince>,
    ): Effect.Effect<ReadonlyArray<string | null>, StorageError>;
    /** Returns the runs with these ids that are stored, in any order. */
    runs(
      ids: ReadonlyArray<string>,
    ): Effect.Effect<ReadonlyArray<Pick<RunRow, "id" | "agentId" | "startedAt">>, StorageError>;
    /**
     * The timestamps since which issues have been in a status: of all issues, or of a share that does not depend
     * on their age, in any order.
     */
    staying(query: StayingQuery): Effect.Effect<ReadonlyArray<Timestamp>, StorageError>;
    /** Removes at most `limit` rows that start before `before`, and returns how many. */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/stats/StatsStore") {}
