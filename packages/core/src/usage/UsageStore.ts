import { Context, type Effect } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { GroupBy, GroupUsage, RunUsage, Sums } from "./Usage.ts";
import type { UsageSource } from "./UsageReport.ts";

/** A report that a run counted. `report` is its canonical JSON. */
export interface ReportRow {
  readonly runId: string;
  readonly key: string;
  readonly report: string;
}

/** The largest reported totals of an agent's session, by source and model. */
export interface SessionRow {
  readonly agentId: string;
  readonly session: string;
  readonly source: UsageSource;
  /** Empty if it was not reported. */
  readonly provider: string;
  readonly model: string;
  readonly totals: Sums;
  readonly updatedAt: Timestamp;
}

/** The sums of a run in one hour, by source and model. */
export interface UsageRow extends Sums {
  readonly runId: string;
  readonly source: UsageSource;
  /** The start of the hour. */
  readonly at: Timestamp;
  readonly model: string;
  readonly agentId: string;
  readonly projectId: string;
  readonly issueId: string;
}

/** Groups of the usage that matches all filters, and of the runs without usage that started then. */
export interface UsageQuery {
  readonly groupBy: GroupBy;
  /** The earliest hour, and the hour before which usage was reported. Both are starts of hours. */
  readonly from?: Timestamp | undefined;
  readonly to?: Timestamp | undefined;
  readonly agentId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly issueId?: string | undefined;
  readonly projects: ReadonlyArray<string> | null;
}

/**
 * Port: stores the reported usage of runs. Of each run, only the rows of its best source count. Sums
 * stop at `Number.MAX_SAFE_INTEGER`. `RunStore.prune` also removes the reports of the runs that it
 * removes; nothing else removes usage before it is pruned.
 */
export class UsageStore extends Context.Service<
  UsageStore,
  {
    /** Returns the reports of a run with these keys. */
    reports(
      runId: string,
      keys: ReadonlyArray<string>,
    ): Effect.Effect<ReadonlyArray<ReportRow>, StorageError>;
    /** Returns the totals of the agent's sessions. */
    sessions(
      agentId: string,
      sessions: ReadonlyArray<string>,
    ): Effect.Effect<ReadonlyArray<SessionRow>, StorageError>;
    /** Stores new reports, replaces totals of sessions, and adds rows to the stored ones. */
    add(added: {
      readonly reports: ReadonlyArray<ReportRow>;
      readonly sessions: ReadonlyArray<SessionRow>;
      readonly rows: ReadonlyArray<UsageRow>;
    }): Effect.Effect<void, StorageError>;
    /** Returns the usage of runs; a run without usage is missing. */
    ofRuns(
      runIds: ReadonlyArray<string>,
    ): Effect.Effect<ReadonlyMap<string, RunUsage>, StorageError>;
    /**
     * Returns groups in the order of their keys. Runs that reported nothing count when they started,
     * and in no group of a model. A run whose rows were pruned reported.
     */
    groups(
      query: UsageQuery,
      slice: Slice<string>,
    ): Effect.Effect<ReadonlyArray<GroupUsage>, StorageError>;
    /** Removes at most `limit` rows and at most `limit` totals from before `before`, and returns how many. */
    prune(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/usage/UsageStore") {}
